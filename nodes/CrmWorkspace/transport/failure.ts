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
	/**
	 * Whether it may go away by itself, such as a fault of n8n's database, and is no decision of n8n.
	 */
	isTransient: boolean;
}

/** Why an attempt has failed. */
export interface FailedAttempt extends CodedError, Fault {
	/** HTTP status; absent when there was no answer. */
	statusCode?: number;
	/** Where a redirect points to. */
	location?: string;
	/** What the body is, when the status says success but it is not what was asked for. */
	unreadable?: string;
	/**
	 * Whether that body is a web page or JSON that breaks off, which comes from something in between.
	 */
	isGarbled?: boolean;
	/** How long the service asks to wait, in ms. */
	askedWait?: number;
	/** Whether the request was not even sent, because the rate limit left no room for it in time. */
	isHeldUp?: boolean;
}

/** Why a request came to nothing, free of anything secret: neither headers sent nor the key. */
export interface FailureDetails extends FailedAttempt {
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
	/** Whether the service asks to wait for longer than the request may. */
	isAskedTooMuch?: boolean;
	/** The last one of the attempts before that may have reached the service, if any did. */
	earlier?: FailedAttempt;
	/** What is not known, such as whether a message was sent; a sentence for the user. */
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
