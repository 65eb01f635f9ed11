import { createTransport } from 'nodemailer';

import type { DeliveredMail, StoredMessage } from '../data/messages.mts';

/** Hands a composed mail over. Resolves when it was accepted, rejects when it was not. */
export type Deliver = (message: StoredMessage) => Promise<DeliveredMail>;

/**
 * How mail leaves the sandbox.
 * @param smtp the address of a real SMTP server, `smtp://host:port`; without it a mail is composed
 * and goes nowhere but into the sandbox's own inbox
 */
export function deliveryTo(smtp: string | undefined): Deliver {
	const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
	const server = smtp === undefined ? undefined : createTransport(smtp);
	return async (message) => {
		const { message: raw, envelope } = await composer.sendMail(mailOf(message));
		await server?.sendMail({ envelope: { from: message.from, to: envelope.to }, raw });
		return { messageId: message.messageId!, headers: headersOf(raw.toString()) };
	};
}

/** Interface, Transactional email: 'carries no unsubscribe header'. */
function mailOf(message: StoredMessage) {
	return {
		messageId: message.messageId!,
		date: new Date(message.createdAt),
		from: { name: message.fromName, address: message.from },
		to: { name: '', address: message.to },
		replyTo: message.replyTo ?? undefined,
		subject: message.subject,
		html: message.html,
		text: message.text,
	};
}

function headersOf(raw: string): Record<string, string> {
	const lines = raw
		.slice(0, raw.indexOf('\n\n'))
		.replace(/\n[ \t]+/g, ' ')
		.split('\n');
	return Object.fromEntries(
		lines.map((line) => {
			const colon = line.indexOf(':');
			return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
		}),
	);
}
