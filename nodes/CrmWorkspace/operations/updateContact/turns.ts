/**
 * Lets work on the same contact be done one after another, in the order in which it was asked for.
 * Each one gets what the one before left of the contact.
 */
export class Turns<Contact extends { id: string }> {
	private begun: Promise<unknown> = Promise.resolve();

	private readonly latest = new Map<string, Promise<Contact>>();

	/**
	 * Does `work` when its turn has come.
	 * @param found the contact that the work is for; several may be looked for at the same time
	 * @param work gives what it leaves of the contact, and a result
	 * @param onFailure what failed work leaves of the contact; throws to give up what comes after
	 */
	async take<Result>(
		found: Promise<Contact>,
		work: (contact: Contact) => Promise<{ contact: Contact; result: Result }>,
		onFailure: (contact: Contact) => Contact,
	): Promise<Result> {
		// A contact found sooner must not overtake: places are given out in the order of the calls.
		const place = Promise.all([found, this.begun]).then(([first]) => {
			const before = this.latest.get(first.id.toLowerCase()) ?? Promise.resolve(first);
			const done = before.then(work);
			const after = done.then(
				({ contact }) => contact,
				async () => onFailure(await before),
			);
			// It need not have anyone waiting for it who would handle what it throws.
			after.catch(() => undefined);
			this.latest.set(first.id.toLowerCase(), after);
			return { done };
		});
		this.begun = Promise.allSettled([this.begun, place]);
		return (await (await place).done).result;
	}
}
