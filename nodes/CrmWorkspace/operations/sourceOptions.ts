import type { INodePropertyOptions } from 'n8n-workflow';
import { contactSources } from '../service/records';

const capitalized = (word: string) => word[0].toUpperCase() + word.slice(1);

/** The sources that a contact can be given, to choose from. Interface: CONTACT-12. */
export const sourceOptions: INodePropertyOptions[] = contactSources.map((source) => ({
	name: source.split('_').map(capitalized).join(' '),
	value: source,
}));
