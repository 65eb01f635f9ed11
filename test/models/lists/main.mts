import { join } from 'node:path';
import { playGenerated } from '../harness/commandLine.mts';

await playGenerated(
	`Lists generated collections while they change, and looks for a contact that is missing without a
word, or there twice.`,
	join(import.meta.dirname, 'player.mts'),
);
