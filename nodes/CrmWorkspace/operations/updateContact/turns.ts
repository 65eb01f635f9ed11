/**
 * Lets work that touches the same things be done one after another, in the order in which it was
 * asked for. All other work is done side by side.
 */
export class Turns {
	private entered: Promise<unknown> = Promise.resolve();

	private readonly latest = new Map<string, Promise<void>>();

	/**
	 * Does `work` when all work before it that shares a name with it has ended, however it did.
	 * @param names what the work touches; called in the order of the calls of `take`
	 */
	async take<Result>(names: () => Promise<string[]>, work: () => Promise<Result>): Promise<Result> {
		// What is named sooner must not overtake: places are given out in the order of the calls.
		const place = this.entered.then(names).then((touched) => ({ done: this.enter(touched, work) }));
		this.entered = place.catch(() => undefined);
		return await (
			await place
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
