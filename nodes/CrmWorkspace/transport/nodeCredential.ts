import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { realClock, type Clock } from './clock';
import type { CrmWorkspaceCredential } from './credential';
import type { Fault } from './failure';
import { raisedFault } from './fault';
import { credentialNotLoaded } from './nodeError';
import { decide, n8nBudget } from './retry';

/** Where a node of ours asks the service from: a run, the editor, or a poll. */
export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A credential as n8n loaded it. */
export interface LoadedCredential {
	credential: CrmWorkspaceCredential;
	/** The transient faults before n8n could load it. */
	faults: Fault[];
}

const ofRuns = new WeakMap<object, Promise<LoadedCredential>>();

/**
 * The credential that is chosen for the node, read from n8n once in a run. A run waits while n8n's
 * database is away; in the editor somebody waits who can ask again.
 * @throws what n8n throws when there is none, or when it cannot be decrypted
 * @throws NodeOperationError when n8n could not load it
 */
export async function nodeCredential(
	context: NodeContext,
	clock: Clock = realClock,
): Promise<LoadedCredential> {
	const reading = ofRuns.get(context) ?? readCredential(context, clock);
	ofRuns.set(context, reading);
	return await reading;
}

/**
 * Forgets the credential of a context. Needed for polls: n8n uses one context for all polls of an
 * active workflow.
 */
export function beginAnotherRun(context: NodeContext): void {
	ofRuns.delete(context);
}

async function readCredential(context: NodeContext, clock: Clock): Promise<LoadedCredential> {
	const isRun = 'getExecutionCancelSignal' in context;
	const patience = isRun ? n8nBudget : 0;
	const cancel = isRun ? context.getExecutionCancelSignal() : undefined;
	const began = clock.now();
	const faults: Fault[] = [];

	async function waitOrGiveUp(error: unknown): Promise<undefined> {
		const raised = raisedFault(error);
		if (!raised.isTransient) throw error;
		const attempt = faults.push({ raised });
		const waited = clock.now() - began;
		const standing = { attempt, isRepeatable: true, waited, patience };
		const decision = decide({ raised }, standing, Math.random());
		if (!decision.again || cancel?.aborted) {
			throw credentialNotLoaded(context.getNode(), raised, { attempts: attempt, waited });
		}
		await clock.wait(decision.after, cancel);
	}

	/** n8n waits without end for a database that does not answer, so this has a time limit. */
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
