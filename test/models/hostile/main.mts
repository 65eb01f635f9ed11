import { join } from 'node:path';
import { playGenerated } from '../harness/commandLine.mts';

await playGenerated(
	`Gives hostile input and hostile answers to all that the package does, and looks for an error that is
not n8n's, the key in the wrong place, a text without a bound, and whatever blocks n8n.`,
	join(import.meta.dirname, 'player.mts'),
	'cases',
);
