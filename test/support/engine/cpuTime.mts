/** What this thread has computed so far, in ms: what other processes took from it does not count. */
export function computed(): number {
	// Node.js 20 knows only the time of all its threads.
	const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
	return (user + system) / 1000;
}
