/**
 * Which browser to launch. Chromium comes from an npm package, so that no system package is needed.
 * The package unpacks the libraries of Chromium only where it takes the machine for the cloud service
 * that it was made for. It takes what another process is still unpacking for unpacked: the first call
 * on a machine has to be over before any other begins. Other systems have to have Chrome.
 */
export async function findBrowser() {
	if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' };
	process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x';
	const { default: chromium } = await import('@sparticuz/chromium');
	return { executablePath: await chromium.executablePath() };
}
