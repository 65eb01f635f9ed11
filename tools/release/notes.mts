import { readFileSync } from 'node:fs';
import { absolute } from '../markdown/absolute.mts';
import { sectionOf } from './changelog.mts';
import { packageJson, repositoryOf } from './places.mts';

/** What the release on GitHub says: what the changelog says of the version in package.json. */
export function notes(): string {
	const json = packageJson('.');
	const section = sectionOf(readFileSync('CHANGELOG.md', 'utf8'), json.version) ?? '';
	return absolute(section, { repository: repositoryOf(json), tag: `v${json.version}` });
}

if (import.meta.main) console.log(notes());
