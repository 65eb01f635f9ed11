import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { generate } from 'selfsigned';
import { freePort } from '../../../playground/ports.mts';

/** Where n8n and npm look for packages; an n8n instance is shown of another registry only with a licence. */
const publicHost = 'registry.npmjs.org';

const verdaccio = resolve('.playground/registry/node_modules/verdaccio/bin/verdaccio');

/** A registry on this machine that stands in the place of npm's. */
export interface Registry {
	/** Lets an n8n instance find this registry where it looks for npm's, and nothing else that is outside. */
	environment: Record<string, string>;
	/**
	 * Publishes a package as npm does: from now on it is the latest.
	 * @param packed tarball, or the folder of a package
	 */
	publish(packed: string): Promise<void>;
	/** Fetches a package by its name. @returns a tarball, which is gone when the registry stops */
	fetch(name: string): Promise<string>;
	stop(): Promise<void>;
}

/** Starts Verdaccio with no package in it, and a proxy that leads to it instead of npm's registry. */
export async function startRegistry(): Promise<Registry> {
	const folder = mkdtempSync(join(tmpdir(), 'crm-workspace-registry-'));
	const port = await freePort();
	await writeSettings(folder);
	const stopVerdaccio = await startVerdaccio(folder, port);
	const proxy = await startProxy(port);
	const environment = surroundings(folder, (proxy.address() as AddressInfo).port);

	const npm = async (...args: string[]) => {
		const env = { ...process.env, ...environment };
		const { stdout } = await promisify(execFile)('npm', args, { cwd: folder, env });
		return stdout.trim();
	};
	return {
		environment,
		async publish(packed) {
			// Its own address, and a token that no one knows: this can never reach npm's registry.
			const own = `localhost:${port}`;
			const there = [`--registry=https://${own}`, `--//${own}/:_authToken=none`];
			await npm('publish', packed, '--ignore-scripts', ...there);
		},
		fetch: async (name) => join(folder, await npm('pack', name, '--silent')),
		async stop() {
			await stopVerdaccio();
			proxy.close();
			rmSync(folder, { recursive: true });
		},
	};
}

/** What Verdaccio goes by, a certificate for npm's registry that this machine made, and no .npmrc. */
async function writeSettings(folder: string): Promise<void> {
	const altNames = [publicHost, 'localhost'].map((value) => ({ type: 2 as const, value }));
	const { private: key, cert } = await generate([{ name: 'commonName', value: publicHost }], {
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames },
		],
	});
	const settings = {
		storage: './storage',
		https: { key: './key.pem', cert: './cert.pem' },
		auth: { htpasswd: { file: './htpasswd', max_users: -1 } },
		packages: { '**': { access: '$all', publish: '$anonymous' } },
		web: { enable: false },
		log: { type: 'stdout', format: 'json', level: 'warn' },
	};
	const files = { 'key.pem': key, 'cert.pem': cert, 'config.json': JSON.stringify(settings) };
	for (const [name, content] of Object.entries({ ...files, npmrc: '' })) {
		writeFileSync(join(folder, name), content);
	}
}

/** @returns how to stop it */
async function startVerdaccio(folder: string, port: number): Promise<() => Promise<void>> {
	const logFile = join(folder, 'verdaccio.log');
	const log = openSync(logFile, 'w');
	const listen = ['--listen', `https://127.0.0.1:${port}`];
	const child = fork(verdaccio, ['--config', join(folder, 'config.json'), ...listen], {
		cwd: folder,
		execArgv: [],
		stdio: ['ignore', log, log, 'ipc'],
	});
	const endToo = () => child.kill();
	process.once('exit', endToo);
	const ended = once(child, 'exit').finally(() => process.off('exit', endToo));
	await Promise.race([
		once(child, 'message'),
		ended.then(() => Promise.reject(new Error(readFileSync(logFile, 'utf8')))),
	]);
	return async () => {
		child.kill();
		await ended;
	};
}

/** A proxy that leads to this port anyone who asks for npm's registry, and turns away all else. */
async function startProxy(port: number): Promise<Server> {
	const server = createServer((_request, response) => response.writeHead(403).end());
	server.on('connect', ({ url }, client: Socket) => {
		if (url !== `${publicHost}:443`) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
		const upstream = connect(port, '127.0.0.1');
		client.write('HTTP/1.1 200 Connected\r\n\r\n');
		pipeline(client, upstream, client, () => upstream.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return server;
}

/** The environment of a machine that is behind the proxy, and whose npm has no settings of its own. */
function surroundings(folder: string, proxyPort: number): Record<string, string> {
	const both = (name: string, value: string) => ({ [name]: value, [name.toUpperCase()]: value });
	return {
		...both('https_proxy', `http://127.0.0.1:${proxyPort}`),
		...both('no_proxy', 'localhost,127.0.0.1'),
		NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
		// `npm run` hands on the settings of anyone who typed it, and these would count instead.
		npm_config_cafile: join(folder, 'cert.pem'),
		npm_config_loglevel: 'notice',
		npm_config_registry: `https://${publicHost}`,
		npm_config_userconfig: join(folder, 'npmrc'),
		npm_config_cache: join(folder, 'cache'),
	};
}
