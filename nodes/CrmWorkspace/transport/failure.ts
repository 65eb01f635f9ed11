/** Why a request came to nothing, free of anything secret: neither headers sent nor the key. */
export interface FailureDetails {
	/** What was asked, e.g. `PUT /contacts/…`. */
	request: string;
	/** The host that was asked, with its port. */
	host: string;
	/** HTTP status of the answer; absent when there was none. */
	statusCode?: number;
	/** Code of the network fault, e.g. `ECONNREFUSED`; absent when an answer came. */
	networkCode?: string;
	/** Where a redirect points to. */
	location?: string;
	/** The service's own error code, e.g. `IDEMPOTENT_REPLAY`, in whatever shape it came. */
	serviceCode?: string;
	/** The service's own words, in whatever shape they came. */
	serviceMessage?: string;
	/** Set when the status says success but the body cannot be read as what was asked for. */
	unreadable?: string;
}

/** Thrown by the transport. What it means for the user is said by `toNodeApiError`. */
export class RequestFailure extends Error {
	constructor(readonly details: FailureDetails) {
		super(`${details.request} failed`);
		this.name = 'RequestFailure';
	}
}
