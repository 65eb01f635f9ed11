/**
 * Locks by name, given out in the order in which they were asked for: work that shares a name is
 * done one after another, all other work side by side.
 */
export class OrderedLocks {
	private entered: Promise<unknown> = Promise.resolve();

	private readonly latest = new Map<string, Promise<void>>();

	/**
	 * Does `work` as soon as all earlier work that shares a name with it has ended, successfully or
	 * not.
	 * @param names gives the names of what the work touches; called in the order of the calls of
	 * `run`
	 */
	async run<Result>(names: () => Promise<string[]>, work: () => Promise<Result>): Promise<Result> {
		// Some names take longer to find than others: entering waits, so that nobody overtakes.
		const entry = this.entered.then(names).then((touched) => ({ done: this.enter(touched, work) }));
		this.entered = entry.catch(() => undefined);
		return await (
			await entry
		).done;
	}

	private enter<Result>(names: string[], work: () => Promise<Result>): Promise<Result> {
		const done = Promise.all(names.map((name) => this.latest.get(name))).then(work);
		const ended = done.then(
			() => undefined,
			() => undefined,
		);
		for (const name of names) this.latest.set(name, ended);
		return done;
	}
}
