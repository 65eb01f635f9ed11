import { fork } from 'node:child_process';

/**
 * Has a task done in a process of its own.
 * @param file program that calls `doWhatIsSent`
 * @param task what can be cloned, and so is the result
 */
export function inProcess<Task extends object, Result>(file: string, task: Task): Promise<Result> {
	return new Promise((resolve, reject) => {
		const child = fork(file, { serialization: 'advanced' });
		let result: Result | undefined;
		child.once('message', (message) => (result = message as Result));
		child.once('error', reject);
		child.once('exit', (code) =>
			result ? resolve(result) : reject(new Error(`${file} ended with ${code}`)),
		);
		child.send(task);
	});
}

/** Does the task that this process is sent, sends back the result, and ends. */
export function doWhatIsSent<Task, Result>(work: (task: Task) => Promise<Result>): void {
	process.once('message', async (task: Task) => {
		process.send!(await work(task), undefined, undefined, () => process.exit());
	});
}
