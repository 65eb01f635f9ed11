import { isRelative, references } from './references.mts';

/** A state of the repository that stays as it is. */
export interface Version {
	/** The repository's page, such as `https://github.com/owner/name`. */
	repository: string;
	tag: string;
}

/**
 * A Markdown document of the repository's root as it can be read anywhere else: what was relative
 * leads to that version on GitHub, pictures to their files themselves. Addresses, anchors of the
 * document itself, and what stands in code stay.
 */
export function absolute(markdown: string, { repository, tag }: Version): string {
	const raw = repository.replace('//github.com/', '//raw.githubusercontent.com/');
	const bases = { link: `${repository}/blob/${tag}/`, picture: `${raw}/${tag}/` };
	return references(markdown)
		.filter(({ target }) => isRelative(target))
		.toReversed()
		.reduce((text, { kind, target, start, end }) => {
			const address = new URL(target.replace(/^\/+/, ''), bases[kind]).href;
			return text.slice(0, start) + address + text.slice(end);
		}, markdown);
}
