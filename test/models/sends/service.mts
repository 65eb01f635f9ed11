import { Messages, type MessageVariants } from '../harness/messages.mts';
import {
	answerOf,
	connectionRefused,
	connectionReset,
	Service,
	type Answer,
	type Asked,
} from '../harness/service.mts';
import { currentTime } from '../harness/clock.mts';
import { people, type Fault, type Try } from './history.mts';

/** What disturbs one try. */
interface Disturbance {
	faults: Array<Fault & { left: number }>;
	kill: Try['kill'];
	onKill: () => void;
	isKilled: boolean;
	requests: number;
}

/** The service, as it is disturbed in each try. */
export class DisturbedService extends Service {
	readonly messages: Messages;
	#current!: Disturbance;

	constructor(variants: MessageVariants) {
		const messages = new Messages(variants);
		super({ messages, latency: () => Math.random() * 100, arrives: faultOf });
		this.messages = messages;
	}

	/** Begins a try. @param onKill is called when n8n has to end */
	disturb({ faults, outcomes, kill }: Try, onKill: () => void): void {
		for (const { to, outcome } of outcomes) this.messages.outcomes.set(people[to], outcome);
		const counted = faults.map((fault) => ({ ...fault, left: fault.count }));
		this.#current = { faults: counted, kill, onKill, isKilled: false, requests: 0 };
		this.begin();
	}

	/** Takes the requests of one run of the node. */
	connect(): (request: Parameters<Service['ask']>[0]) => Promise<Answer> {
		const disturbance = this.#current;
		return async (request) => await this.ask(request, disturbance);
	}
}

/** Whether the service has answered with a message that is delivered. */
export function isDelivered({ answer }: Asked): boolean {
	return answer?.statusCode === 200 && JSON.parse(answer.body).data.status === 'queued';
}

function faultOf({ body, by }: Asked) {
	const disturbance = by as Disturbance;
	const { kill, faults } = disturbance;
	const number = disturbance.requests++;
	if (disturbance.isKilled) return { isDone: false, respond: connectionReset };
	if (number === kill?.request) {
		disturbance.isKilled = true;
		disturbance.onKill();
		return { isDone: kill.isDone, respond: connectionReset };
	}
	const isFor = ({ to }: Fault) => to === undefined || people[to] === body.to;
	const hit = faults.find((fault) => fault.left > 0 && number >= fault.from && isFor(fault));
	if (!hit) return undefined;
	hit.left--;
	const isRefused = typeof hit.response === 'number' && hit.response < 500;
	const isReached = hit.response !== 'unreachable';
	return {
		isDone: hit.isDone && !isRefused && isReached,
		respond: () => responseOf(hit.response),
	};
}

function responseOf(response: Fault['response']): Answer {
	if (response === 'none') return connectionReset();
	if (response === 'unreachable') return connectionRefused();
	if (response === 'page') return answerOf(200, '<html><body>Welcome</body></html>', currentTime());
	if (response === 'otherJson') return answerOf(200, '{"data":{"login":"/"}}', currentTime());
	// Of someone on the way, who knows nothing of idempotency keys.
	return answerOf(response, '{"message":"Sorry"}', currentTime());
}
