import type { CodedError } from './knownCode';

/** What to tell the user: what happened, and what to do next. */
export interface Explanation {
	message: string;
	advice?: string;
}

/** What kept an answer from arriving. */
export interface Fault {
	/** Code of the network fault, e.g. `ECONNREFUSED`. */
	networkCode?: string;
	/** What n8n itself says, when it raised the fault before anything was sent. */
	raised?: RaisedFault;
}

/** A fault that n8n raised, in its words. */
export interface RaisedFault extends Explanation {
	/** Whether it comes from what n8n stands on, such as its database, and not from n8n's judgement. */
	mayPass: boolean;
}

/** What an attempt came to when it was no success. */
export interface Outcome extends CodedError, Fault {
	/** HTTP status; absent when there was no answer. */
	statusCode?: number;
	/** Where a redirect points to. */
	location?: string;
	/** What the body is, when the status says success but it is not what was asked for. */
	unreadable?: string;
	/** Whether that body is a web page or JSON that breaks off: nothing that the service would say. */
	isGarbled?: boolean;
	/** How long the service asks to wait, in ms. */
	askedWait?: number;
	/** Whether the request was not even sent, because the rate limit left no room for it in time. */
	isHeldUp?: boolean;
}

/** Why a request came to nothing, free of anything secret: neither headers sent nor the key. */
export interface FailureDetails extends Outcome {
	/** What was asked, e.g. `PUT /contacts/…`. */
	request: string;
	/** The host that was asked, with its port. */
	host: string;
	/** Which data the credential addresses. */
	mode: 'test' | 'live';
	/** How often the request was made. */
	attempts: number;
	/** How long it waited for another chance after its first failure, in ms. */
	waited: number;
	/** Whether the service asks to wait for longer than was worth it. */
	isAskedTooMuch?: boolean;
	/** The last one of the attempts before that may have reached the service, if any did. */
	earlier?: Outcome;
	/** What is not known of the work, in words. */
	doubt?: string;
	/** What the service layer knows of an answer like this. */
	explanation?: Explanation;
}

/** Thrown by the transport. What it means for the user is said by `toNodeApiError`. */
export class RequestFailure extends Error {
	constructor(readonly details: FailureDetails) {
		super(`${details.request} failed`);
		this.name = 'RequestFailure';
	}
}

/** Thrown when a request is given up because its run ends. */
export class Cancelled extends Error {
	/** @param mayHaveBegun whether the request may have reached the service before */
	constructor(readonly mayHaveBegun = false) {
		super('The execution was stopped');
		this.name = 'Cancelled';
	}
}
