const names = ['list', 'sync', 'shared', 'urgent', 'eventLoop', 'trigger', 'beside'];
const [name, ...args] = process.argv.slice(2);

if (names.includes(name)) {
	const { run } = (await import(`./${name}.mts`)) as {
		run(...args: string[]): Promise<void>;
	};
	await run(...args);
} else {
	console.error(`Which one? npm run bench -- ${names.join(' | ')}`);
	process.exitCode = 1;
}
