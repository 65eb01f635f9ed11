import os from 'node:os';

/** What figures were measured on. It has no names of hosts, users or folders. */
export interface Machine {
	cpu: string;
	cores: number;
	/** GB */
	memory: number;
	/** Kind and release of its kernel: `Linux 6.1.0`. */
	system: string;
}

/** The machine that this runs on. */
export function thisMachine(): Machine {
	const cpus = os.cpus();
	return {
		cpu: cpus[0]?.model.trim() || 'unknown',
		cores: cpus.length,
		memory: Math.round(os.totalmem() / 1e9),
		system: `${os.type()} ${os.release().split('-')[0]}`,
	};
}
