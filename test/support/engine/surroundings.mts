import type {
	ICredentialDataDecryptedObject,
	ICredentialsExpressionResolveValues,
	ICredentialsHelper,
	ICredentialType,
	INodeCredentialsDetails,
	INodeParameters,
	IHttpRequestOptions,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { isSince } from '../../../playground/installed.mts';

/** What n8n's engine wants to have around an execution. It throws where an address is empty. */
export function engineSurroundings(): IWorkflowExecuteAdditionalData {
	const url = 'http://127.0.0.1/';
	return {
		// Older ones don't count.
		...(isSince('1.87') && { currentNodeExecutionIndex: 0 }),
		variables: {},
		restApiUrl: url,
		instanceBaseUrl: url,
		formBaseUrl: url,
		formWaitingBaseUrl: url,
		formTestBaseUrl: url,
		webhookBaseUrl: url,
		webhookWaitingBaseUrl: `${url}webhook-waiting`,
		webhookTestBaseUrl: url,
		mcpBaseUrl: url,
		mcpTestBaseUrl: url,
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
		logAiEvent: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}

/**
 * A store of credentials of one type.
 * @param Helper n8n's class, as the engine at hand knows it
 * @param read is asked for a credential by its ID each time that a node reads it, and may throw
 */
export function credentialsHelper(
	Helper: typeof ICredentialsHelper,
	type: ICredentialType,
	read: (id: string | null) => ICredentialDataDecryptedObject,
): ICredentialsHelper {
	const authenticate = type.authenticate as (
		credential: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	) => Promise<IHttpRequestOptions>;

	return new (class extends Helper {
		getParentTypes = () => [];
		isCredentialUsableByNode = () => true;
		authenticate = async (
			credential: ICredentialDataDecryptedObject,
			_typeName: string,
			options: IHttpRequestOptions,
		) => await authenticate(credential, options);
		preAuthentication = async () => undefined;
		runPreAuthentication = async () => undefined;
		/** As in n8n: expressions in a credential are evaluated for the item that asks for it. */
		getDecrypted = async (
			_data: unknown,
			{ id }: INodeCredentialsDetails,
			_type: string,
			mode: WorkflowExecuteMode,
			_entry: unknown,
			raw?: boolean,
			values?: ICredentialsExpressionResolveValues,
		) => {
			const data = read(id);
			if (raw || !values) return data;
			const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
			return workflow.expression.getParameterValue(
				data as INodeParameters,
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				connectionInputData,
				mode,
				{},
			) as ICredentialDataDecryptedObject;
		};
		getCredentialsProperties = () => type.properties;
		getCredentials = notNeeded;
		updateCredentials = notNeeded;
		updateCredentialsOauthTokenData = notNeeded;
	})();
}

async function notNeeded(): Promise<never> {
	throw new Error('The node has no use for this');
}
