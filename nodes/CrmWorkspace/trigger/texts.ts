/** What errors of the trigger say: titles and advice by name. */
import type { Texts } from '../common/text';

export const texts = {
	emptySearch: 'All contacts would be watched. Enter a value, or remove the option.',
	tooManyContacts: (max: number) => [
		`There are more than ${max.toLocaleString('en')} contacts`,
		"The trigger remembers each contact. Use the option 'Search' to watch fewer.",
	],
	/** Interface: OPEN-10. */
	withoutId: [
		'A record that the trigger watches has no ID',
		"The trigger can't tell such records apart. Remove their event from 'Trigger On'.",
	],
	unreadableState: [
		"This version can't read what n8n has stored of earlier polls",
		'If a later version of n8n-nodes-crm-workspace has polled here before, update the package. Otherwise replace this trigger with a new one that has another name. Its first poll only remembers what is there.',
	],
	nothingToShow: [
		'There is nothing to show yet',
		'The service has no records for the chosen events. Publish the workflow: it starts as soon as there are some.',
	],
} satisfies Texts;
