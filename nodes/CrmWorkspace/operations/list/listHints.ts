import type { NodeExecutionHint } from 'n8n-workflow';
import type { PagesRead } from '../../service/lists/readPages';
import { hint } from '../../text/hint';

/** What the user should know of the lists of a run, each thing said once. */
export class ListHints {
	private readonly messages = new Map<string, 'info' | 'warning'>();

	/** Notes what happened to the contacts while they were read. */
	contactsRead({ records, totalCount, isSettled, hasChanged }: PagesRead): void {
		if (!isSettled) {
			const why = hasChanged
				? 'the list changed again and again while it was read'
				: `the service does not show as many as it counts${totalCount === undefined ? '' : `, ${totalCount}`}`;
			this.messages.set(
				`Some contacts may be missing: ${why}. ${records.length} were read. Run the workflow again at a quieter time, or list fewer with Search.`,
				'warning',
			);
		} else if (hasChanged) {
			this.messages.set(
				'Contacts came, went or moved while they were read, so they were read again: every contact that was there all the time is in the output, once',
				'info',
			);
		}
	}

	/** Notes which of the articles wanted the service kept back. */
	articlesRead(count: number, total: number | undefined, limit: number): void {
		if (total === undefined || count >= Math.min(total, limit)) return;
		this.messages.set(
			`The service found ${total} articles but returned only ${count}, and it offers no next page. A narrower Search Term finds the others.`,
			'warning',
		);
	}

	/** For the editor's output panel. */
	hints(): NodeExecutionHint[] {
		return [...this.messages].map(([message, type]) => hint(message, type));
	}
}
