/** Does the task that this process is sent by `inProcess`, sends back the result, and ends. */
export function doWhatIsSent<Task, Result>(work: (task: Task) => Promise<Result>): void {
	process.once('message', async (task: Task) => {
		process.send!(await work(task), undefined, undefined, () => process.exit());
	});
}
