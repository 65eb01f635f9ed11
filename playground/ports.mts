import getPort from 'get-port';

/** A port of 127.0.0.1 that nothing listens on, and that this process gives nobody else for a while. */
export async function freePort(): Promise<number> {
	return await getPort({ host: '127.0.0.1' });
}

/**
 * The port that is asked for; any free one for 0.
 * @returns undefined when something listens on it
 */
export async function portIfFree(port: number): Promise<number | undefined> {
	const free = await getPort({ host: '127.0.0.1', port });
	return port === 0 || free === port ? free : undefined;
}
