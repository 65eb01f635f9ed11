const names = ['list', 'sync', 'shared'];
const [name] = process.argv.slice(2);

if (names.includes(name)) {
	const { run } = (await import(`./${name}.mts`)) as { run(): Promise<void> };
	await run();
} else {
	console.error(`Which one? npm run bench -- ${names.join(' | ')}`);
	process.exitCode = 1;
}
