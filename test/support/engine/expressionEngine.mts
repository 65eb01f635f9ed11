import * as workflow from 'n8n-workflow';

/**
 * How n8n evaluates expressions: within its own process, as n8n 1 does, or apart, which is its default
 * now. The latter is started for the pinned n8n alone.
 */
export const expressionEngines: Array<'legacy' | 'vm'> = process.env.N8N_UNDER_TEST
	? ['legacy']
	: ['legacy', 'vm'];

const { Expression } = workflow;

// As n8n 1 does when it starts: what its library has by default knows no functions and no templates.
(workflow as any).ExpressionEvaluatorProxy?.setEvaluator?.('tournament');

/** n8n's own initialization imports the runtime in a way that Jest doesn't know. */
export async function useExpressionEngine(engine: 'vm' | 'legacy'): Promise<void> {
	if (expressionEngines.length === 1) return;
	await Expression.disposeExpressionEngine();
	Expression.setExpressionEngine(engine);
	if (engine === 'legacy') return;
	const { ExpressionEvaluator, IsolatedVmBridge } = await import('@n8n/expression-runtime');
	const { expressionSandboxHooks: hooks } = await import('n8n-workflow/expression-sandboxing');
	const logger = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
	const createBridge = () => new IsolatedVmBridge({ timeout: 5000, memoryLimit: 128, logger });
	const settings = { createBridge, hooks, logger, maxCodeCacheSize: 1024, poolSize: 1 };
	const vmEvaluator = new ExpressionEvaluator(settings);
	Object.assign(Expression, { vmEvaluator });
	await vmEvaluator.initialize();
}
