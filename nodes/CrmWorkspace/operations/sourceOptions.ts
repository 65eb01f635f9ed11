import type { INodePropertyOptions } from 'n8n-workflow';
import { contactSources } from '../service/records';

/** The sources that a contact can be given, to choose from. Interface: CONTACT-12. */
export const sourceOptions: INodePropertyOptions[] = contactSources.map((source) => ({
	name: label(source),
	value: source,
}));

function label(source: string): string {
	return source.replace(
		/(^|_)([a-z])/g,
		(_match, gap: string, letter: string) => `${gap && ' '}${letter.toUpperCase()}`,
	);
}
