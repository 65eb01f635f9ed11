/** A span in words, e.g. “2 min 5 s”. */
export function formatDuration(ms: number): string {
	const seconds = Math.round(ms / 1000);
	const parts = [
		[Math.floor(seconds / 86_400), 'd'],
		[Math.floor(seconds / 3600) % 24, 'h'],
		[Math.floor(seconds / 60) % 60, 'min'],
		[seconds % 60, 's'],
	] as const;
	const words = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
	return words.slice(0, 2).join(' ') || '0 s';
}
