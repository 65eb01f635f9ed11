/** A queue whose first entry leaves in constant time, however many there are. */
export class Fifo<Entry> {
	private entries: Entry[] = [];

	/** How many entries at the beginning have left. */
	private left = 0;

	get length(): number {
		return this.entries.length - this.left;
	}

	/** The entry at a place, counted from 0; undefined beyond the last one. */
	at(index: number): Entry | undefined {
		return this.entries[this.left + index];
	}

	push(entry: Entry): void {
		this.entries.push(entry);
	}

	shift(): Entry | undefined {
		const first = this.entries[this.left++];
		if (2 * this.left > this.entries.length) this.keep(this.toArray());
		return first;
	}

	remove(entry: Entry): void {
		this.keep(this.toArray().filter((other) => other !== entry));
	}

	toArray(): Entry[] {
		return this.entries.slice(this.left);
	}

	private keep(entries: Entry[]): void {
		this.entries = entries;
		this.left = 0;
	}
}
