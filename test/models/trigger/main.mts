import { join } from 'node:path';
import { playGenerated } from '../harness/commandLine.mts';

await playGenerated(
	`Lives of a trigger: looks for an event that never comes, or comes twice, or is another one, while
contacts, activities and tasks change and n8n is killed.`,
	join(import.meta.dirname, 'player.mts'),
);
