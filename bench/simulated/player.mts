import { createHash } from 'node:crypto';
import { beginAnew } from '../../test/models/harness/random.mts';
import { currentTime, fakeTime, pass, passUntilDone } from '../../test/models/harness/clock.mts';
import { doWhatIsSent } from '../../test/models/harness/task.mts';
import { latency, type Came, type Scenario } from './scenario.mts';

fakeTime();
// After the time is replaced, anyone who takes it from the beginning.
const { N8n } = await import('./n8n.mts');
const { Service } = await import('./service.mts');

doWhatIsSent(async (scenarios: Scenario[]) => {
	const all: Came[] = [];
	for (const scenario of scenarios) all.push(await played(scenario));
	return all;
});

async function played(scenario: Scenario): Promise<Came> {
	beginAnew(createHash('sha256').update(String(scenario.seed)).digest().readInt32BE());
	return await passUntilDone(play(scenario));
}

async function play(scenario: Scenario): Promise<Came> {
	const { limiter, processes } = scenario;
	const cpu = process.cpuUsage();
	const contacts = Math.max(...processes.flat().map(({ items }) => items));
	const service = new Service({ limiter, latency, contacts });
	const begunAt = currentTime();
	const running = processes.flatMap((jobs, number) => {
		const n8n = new N8n(number, service, scenario);
		return jobs.map(async (job) => {
			await pass(job.at);
			return await n8n.run(job);
		});
	});
	const since = (moment: number) => moment - begunAt;
	const jobs = (await Promise.all(running)).map((job) => ({
		...job,
		beganAt: since(job.beganAt),
		endedAt: since(job.endedAt),
	}));
	const { requests, refused, messages, updated, done } = service;
	const { user, system } = process.cpuUsage(cpu);
	return {
		took: Math.max(...jobs.map(({ endedAt }) => endedAt)),
		...{ requests, refused, messages, updated, jobs },
		done: processes.map((_, number) => (done.get(number) ?? []).map(since)),
		cpu: (user + system) / 1000,
	};
}
