import { cases } from './cases.mts';
import { bench } from './report/run.mts';

// Whoever is told to end takes along the n8n that it has started.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const code = await bench(cases, process.argv.slice(2), 'docs');

// A case that failed may have left a server behind, which would keep this process from its end.
process.stdout.write('', () => process.exit(code));
