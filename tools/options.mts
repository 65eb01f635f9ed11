/** The options of a script: one table for what it takes and for what `--help` prints. */
import { parseArgs, type ParseArgsOptionDescriptor } from 'node:util';

/** An option as parseArgs takes it, with what `--help` says of it. */
interface Option extends ParseArgsOptionDescriptor {
	meaning: string;
}

/**
 * Parses the command line of `npm run COMMAND`. `--help` and a mistake end the process.
 * @param names what may be named beside the options
 * @param notes what `--help` prints below the options
 */
export function parseOptions<const T extends Record<string, Option>>(
	command: string,
	options: T,
	{ names = [], notes = [] }: { names?: string[]; notes?: string[] } = {},
) {
	if (process.argv.includes('--help')) {
		const named = names.length > 0 ? ` [${names.join('|')} …]` : '';
		const usage = `Usage: npm run ${command} --${named} [options]`;
		console.log([usage, ...Object.entries(options).map(describe), ...notes].join('\n'));
		process.exit();
	}
	try {
		const parsed = parseArgs({ options, allowPositionals: true });
		const unknown = parsed.positionals.find((name) => !names.includes(name));
		if (unknown === undefined) return parsed;
		return refuse(`Unknown argument '${unknown}'`);
	} catch (error) {
		return refuse((error as Error).message.split(/\.(?:\s|$)|\n/)[0]);
	}
}

/** Ends the process because of its command line. @param mistake in words */
export function refuse(mistake: string): never {
	console.error(`${mistake}: --help lists all options`);
	process.exit(1);
}

function describe([name, { type, meaning, default: value }]: [string, Option]): string {
	const option = `--${name}${type === 'string' ? ' VALUE' : ''}`;
	const unlessGiven = value === undefined ? '' : ` (default: ${value})`;
	return `  ${option.padEnd(28)} ${meaning}${unlessGiven}`;
}
