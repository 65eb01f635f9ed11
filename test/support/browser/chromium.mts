/**
 * Where Chromium is. It comes from an npm package, so that no system package is needed; the package
 * unpacks the libraries that Chromium needs only where it takes the machine for the cloud service
 * that it was made for. It takes what another process is still unpacking for unpacked: the first
 * call on a machine has to be over before any other begins.
 * @returns undefined on systems that it isn't for
 */
export async function chromiumPath(): Promise<string | undefined> {
	if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
	process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x';
	const { default: chromium } = await import('@sparticuz/chromium');
	return await chromium.executablePath();
}
