/** How many cases of each model `npm test` plays: the same ones each time. */
export const modelArguments = {
	updates: ['--seed', '11'],
	hostile: ['--seed', '11', '--cases', '1000'],
	trigger: ['--seed', '11', '--histories', '400'],
};
