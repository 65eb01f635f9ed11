import { execaNode, type Message } from 'execa';

/**
 * Has a task done in a process of its own, which ends with this one.
 * @param file program that calls `doWhatIsSent`
 * @param task what can be cloned, and so is the result
 * @throws an Error when it ends without a result
 */
export async function inProcess<Task extends object, Result>(
	file: string,
	task: Task,
): Promise<Result> {
	const { ipcOutput } = await execaNode(file, {
		ipcInput: task as Message,
		// Not those of this process: of `node -e`, each would begin this program again.
		nodeOptions: [],
		stdin: 'ignore',
		stdout: 'inherit',
		stderr: 'inherit',
	});
	if (ipcOutput.length === 0) throw new Error(`${file} ended without a result`);
	return ipcOutput[0] as Result;
}
