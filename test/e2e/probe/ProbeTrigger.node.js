/** Emits an event with each poll. For `canaries.test.mts`. */
const contexts = [];

exports.ProbeTrigger = class {
	description = {
		...{ displayName: 'Probe Trigger', name: 'probeTrigger', version: 1, group: ['trigger'] },
		...{ description: 'Polls', defaults: { name: 'Probe Trigger' }, polling: true },
		...{ inputs: [], outputs: ['main'], properties: [] },
	};

	async poll() {
		if (!contexts.includes(this)) contexts.push(this);
		const budgetMs = this.getPollBudgetMs?.();
		return [[{ json: { context: contexts.indexOf(this), budgetMs } }]];
	}
};
