import { expect, test } from '@jest/globals';
import { scoreTable } from '../../tools/mutation/scores.mts';

const mutants = (...statuses: string[]) => ({ mutants: statuses.map((status) => ({ status })) });

test('the table of mutation scores: folders, their modules, the fewest found first', () => {
	const table = scoreTable({
		files: {
			'nodes/transport/fifo.ts': mutants('Killed', 'Killed'),
			'nodes/service/tokens.ts': mutants('Killed', 'Timeout', 'Killed', 'Survived'),
			'nodes/service/limits.ts': mutants('NoCoverage', 'Ignored', 'CompileError'),
			'nodes/service/records.ts': mutants(),
		},
	});
	expect(table.split('\n')).toEqual([
		'| Module | Mutants | Found | Survived | Not reached | Score |',
		'| --- | --: | --: | --: | --: | --: |',
		'| **service/** | 5 | 3 | 1 | 1 | 60.0 % |',
		'| limits | 1 | 0 | 0 | 1 | 0.0 % |',
		'| tokens | 4 | 3 | 1 | 0 | 75.0 % |',
		'| records | 0 | 0 | 0 | 0 | 100.0 % |',
		'| **transport/** | 2 | 2 | 0 | 0 | 100.0 % |',
		'| fifo | 2 | 2 | 0 | 0 | 100.0 % |',
	]);
});
