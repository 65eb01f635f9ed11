import { readFileSync } from 'node:fs';
import { absolute } from '../markdown/absolute.mts';
import { sectionOf } from './changelog.mts';
import { packageJson, repositoryOf } from './places.mts';

// What a release on GitHub says: for release-it, which shows what this prints.
const json = packageJson('.');
const notes = sectionOf(readFileSync('CHANGELOG.md', 'utf8'), json.version) ?? '';
console.log(absolute(notes, { repository: repositoryOf(json), tag: `v${json.version}` }));
