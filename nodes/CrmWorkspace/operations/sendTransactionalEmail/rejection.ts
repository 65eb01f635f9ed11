import type { Message } from '../../service/records';

/**
 * Why a message that the service took will not be delivered, in words; undefined when nothing
 * says so. `rejected` and `Permanent` are the only values that the interface names.
 */
export function rejectionReason(message: Message): string | undefined {
	const { status, error, errorReason, bounceType } = message;
	const reasons = [errorReason, error].filter(isText);
	const isRejected = isText(status) && status.toLowerCase() === 'rejected';
	const isBounced = isText(bounceType) && bounceType.toLowerCase() === 'permanent';
	if (!isRejected && !isBounced && reasons.length === 0) return undefined;
	if (reasons.length > 0) return [...new Set(reasons)].join(': ');
	return isBounced ? 'permanent bounce' : 'no reason given';
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
