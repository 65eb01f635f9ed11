import { exitWhenTold } from '../playground/atExit.mts';
import { cases } from './cases.mts';
import { bench } from './report/run.mts';

exitWhenTold();

const code = await bench(cases, process.argv.slice(2), 'docs');

// A case that failed may have left a server behind, which would keep this process from its end.
process.stdout.write('', () => process.exit(code));
