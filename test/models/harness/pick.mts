/** Some of a list that stand side by side. @param where in hundredths of its length */
export function pick<T>(all: readonly T[], count: number, where: number): T[] {
	const picked = Math.min(count, all.length);
	const from = Math.min(Math.floor((where / 100) * all.length), all.length - picked);
	return all.slice(from, from + picked);
}
