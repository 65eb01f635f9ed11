import { expect, test } from '@jest/globals';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { request } from 'undici';
import { owner } from '../../playground/client.mts';
import { isSince } from '../../playground/installed.mts';
import { playground } from '../support/n8n/playground.mts';

const { n8n, password, dataFolder } = playground();

async function logIn(attempt: string): Promise<number> {
	const answer = await request(`${n8n.url}/rest/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ emailOrLdapLoginId: owner.email, password: attempt }),
	});
	await answer.body.dump();
	return answer.statusCode;
}

test('its owner has a password that no one else has, and no other gets in', async () => {
	expect(password).toMatch(/^Pg1-[\w-]{24}$/);
	expect(await logIn(password)).toBe(200);
	expect(await logIn('Playground-1')).toBe(401);
});

test('n8n and all that it starts listen on this machine only', () => {
	const addresses = processesOf(dataFolder).flatMap(listeningAddresses);
	// n8n itself, and the broker of its task runners, which older ones start without being told.
	expect(addresses.length).toBeGreaterThanOrEqual(isSince('2.0') ? 2 : 1);
	expect(addresses.filter((address) => !address.startsWith('127.0.0.1:'))).toEqual([]);
	expect(addresses).toContain(`127.0.0.1:${new URL(n8n.url).port}`);
});

/** Linux tells of each process what it was started with, and which sockets it has. */
function processesOf(folder: string): string[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.filter((id) => read(`/proc/${id}/environ`).includes(`N8N_USER_FOLDER=${folder}`));
}

/** Such as `127.0.0.1:5678`; addresses of IPv6 as they stand in the table, in hex. */
function listeningAddresses(id: string): string[] {
	const own = new Set(openFiles(id));
	const listening = '0A';
	return ['tcp', 'tcp6']
		.flatMap((table) => read(`/proc/${id}/net/${table}`).split('\n').slice(1))
		.map((line) => line.trim().split(/\s+/))
		.filter((columns) => columns[3] === listening && own.has(`socket:[${columns[9]}]`))
		.map(([, address]) => {
			const [host, port] = address.split(':');
			const bytes = host.match(/../g)!.map((hex) => parseInt(hex, 16));
			return `${bytes.length === 4 ? bytes.reverse().join('.') : host}:${parseInt(port, 16)}`;
		});
}

function openFiles(id: string): string[] {
	const folder = `/proc/${id}/fd`;
	return readdirSync(folder).flatMap((name) => {
		try {
			return [readlinkSync(`${folder}/${name}`)];
		} catch {
			return []; // Closed in the meantime.
		}
	});
}

/** Nothing where the process has ended, or is another user's. */
function read(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}
