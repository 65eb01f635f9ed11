import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { realClock, type Clock } from './clock';
import type { CrmWorkspaceCredential } from './credential';
import type { Fault } from './failure';
import { raisedFault } from './fault';
import { credentialNotLoaded } from './nodeError';
import { decide, n8nBudget } from './retry';

/** Where a node of ours asks the service from: a run, the editor, or a poll. */
export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A credential as n8n gave it. */
export interface CredentialReading {
	credential: CrmWorkspaceCredential;
	/** What kept n8n from giving it at once, and has passed. */
	faults: Fault[];
}

const ofRuns = new WeakMap<object, Promise<CredentialReading>>();

/**
 * The credential that is chosen for the node, read from n8n once in a run. A run waits while n8n's
 * database is away; in the editor somebody waits who can ask again.
 * @throws what n8n throws when there is none, or when it cannot be decrypted
 * @throws NodeOperationError when n8n could not load it
 */
export async function nodeCredential(
	context: NodeContext,
	clock: Clock = realClock,
): Promise<CredentialReading> {
	const reading = ofRuns.get(context) ?? readCredential(context, clock);
	ofRuns.set(context, reading);
	return await reading;
}

/** Another run begins in the same context: n8n polls in one for as long as a workflow is active. */
export function beginAnotherRun(context: NodeContext): void {
	ofRuns.delete(context);
}

async function readCredential(context: NodeContext, clock: Clock): Promise<CredentialReading> {
	const isRun = 'getExecutionCancelSignal' in context;
	const patience = isRun ? n8nBudget : 0;
	const cancel = isRun ? context.getExecutionCancelSignal() : undefined;
	const began = clock.now();
	const faults: Fault[] = [];

	async function waitOrGiveUp(error: unknown): Promise<undefined> {
		const raised = raisedFault(error);
		if (!raised.mayPass) throw error;
		const attempt = faults.push({ raised });
		const waited = clock.now() - began;
		const standing = { attempt, isRepeatable: true, waited, patience };
		const decision = decide({ raised }, standing, Math.random());
		if (!decision.again || cancel?.aborted) {
			throw credentialNotLoaded(context.getNode(), raised, { attempts: attempt, waited });
		}
		await clock.wait(decision.after, cancel);
	}

	/** A database that does not answer keeps n8n waiting without end. */
	async function load(): Promise<CrmWorkspaceCredential> {
		const loaded = new AbortController();
		const ends = cancel ? [cancel, loaded.signal] : [loaded.signal];
		const late = async () => {
			await clock.wait(began + n8nBudget - clock.now(), AbortSignal.any(ends));
			throw new Error(cancel?.aborted ? 'the execution was stopped' : 'no answer for a minute');
		};
		const credential = context.getCredentials<CrmWorkspaceCredential>('crmWorkspaceApi');
		return await Promise.race([credential, late()]).finally(() => loaded.abort());
	}

	for (;;) {
		const credential = await load().catch(waitOrGiveUp);
		if (credential) return { credential, faults };
	}
}
