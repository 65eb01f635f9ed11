import { createTransport } from 'nodemailer';

import type { DeliveredMail, StoredMessage } from '../data/messages.mts';

/** Hands a composed mail over. Resolves when it was accepted, rejects when it was not. */
export type Deliver = (message: StoredMessage) => Promise<DeliveredMail>;

/** A real SMTP server, and to whom mail goes there: anyone who has a key of the sandbox can send. */
export interface Relay {
	/** `smtp://host:port` */
	server: string;
	/** Addresses, and domains that stand for all their addresses. */
	recipients: string[];
}

/** Where mail goes but for the inbox, if anywhere; a password of the server is not shown. */
export function realMail(relay: Relay | undefined): string | null {
	if (!relay) return null;
	return `for ${relay.recipients.join(', ')} by ${new URL(relay.server).host}`;
}

/**
 * How mail leaves the sandbox.
 * @param relay without it, and for whom it does not name, a mail is composed and goes nowhere but
 * into the sandbox's own inbox
 */
export function deliveryTo(relay: Relay | undefined): Deliver {
	const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
	const server = relay && createTransport(relay.server);
	return async (message) => {
		const { message: raw, envelope } = await composer.sendMail(mailOf(message));
		if (server && isFor(message.to, relay.recipients)) {
			await server.sendMail({ envelope: { from: message.from, to: envelope.to }, raw });
		}
		return { messageId: message.messageId!, headers: headersOf(raw.toString()) };
	};
}

function isFor(address: string, recipients: string[]): boolean {
	const domain = address.slice(address.lastIndexOf('@') + 1);
	return recipients
		.map((recipient) => recipient.toLowerCase())
		.some((recipient) => [address.toLowerCase(), domain.toLowerCase()].includes(recipient));
}

/** The mail of a message, which says nothing of unsubscribing. Interface: SEND-5. */
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
