/** How long news are gathered, so that thousands of requests cost anyone who looks few of them. */
const gatheredFor = 250;

/** Tells anyone who looks at the sandbox that something in it has changed, not what. */
export class News {
	#listeners = new Set<() => void>();
	#timer: NodeJS.Timeout | undefined;

	/** Something has changed. Within a quarter of a second, everybody who listens knows. */
	tell(): void {
		if (this.#listeners.size === 0) return;
		this.#timer ??= setTimeout(() => this.#spread(), gatheredFor).unref();
	}

	/** @returns what ends the listening */
	listen(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => void this.#listeners.delete(listener);
	}

	#spread(): void {
		this.#timer = undefined;
		for (const listener of this.#listeners) listener();
	}
}
