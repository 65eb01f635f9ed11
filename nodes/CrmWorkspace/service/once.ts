/** Does work once for all who ask for it by the same name. Work that has failed is done again. */
export class Once {
	private readonly works = new Map<string, Promise<unknown>>();

	/** Whether the work is under way or done. */
	has(name: string): boolean {
		return this.works.has(name);
	}

	/** @throws whatever the work throws */
	async do<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
		const doing = (this.works.get(name) as Promise<Result> | undefined) ?? work();
		this.works.set(name, doing);
		return await doing.catch((error: unknown) => {
			if (this.works.get(name) === doing) this.works.delete(name);
			throw error;
		});
	}
}
