import { playGenerated, type Generated } from './harness/commandLine.mts';

const generated: Record<string, Generated> = {
	updates: {
		purpose: `Updates generated contacts, with faults, tries and other executions, and looks for a value that is
lost without a word, a row that reaches the wrong contact, and a result that is not true.`,
	},
	trigger: {
		purpose: `Lives of a trigger: looks for an event that never comes, or comes twice, or is another one, while
contacts, activities and tasks change and n8n is killed.`,
	},
	hostile: {
		purpose: `Gives hostile input and hostile answers to all that the package does, and looks for an error that is
not n8n's, the key in the wrong place, a text without a bound, and whatever blocks n8n.`,
		what: 'cases',
	},
};

const [name = '', ...args] = process.argv.slice(2);
const model = generated[name];
if (model) await playGenerated(name, model, args);
else throw new Error(`There is no model ${name}: ${Object.keys(generated).join(', ')}`);
