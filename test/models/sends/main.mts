import { join } from 'node:path';
import { playGenerated } from '../harness/commandLine.mts';

await playGenerated(
	`Plays the lives of generated workflows and looks for a message that is sent twice, not at all, or
reported as what it is not.`,
	join(import.meta.dirname, 'player.mts'),
);
