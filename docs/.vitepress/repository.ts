import { readFileSync } from 'node:fs';
import { projectPages } from './generate/project-pages.js';

const { version, homepage } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
  readonly homepage: string;
};

/** The version of the package that the site describes. */
export const packageVersion = version;

/** The URL of the repository, from package.json. */
export const repository = homepage.replace(/#.*$/, '');

const sources = new Map(projectPages.map(({ source, page }) => [page, source]));

/** The path in the repository of a page of the site. */
export const sourceOf = (page: string): string => sources.get(page) ?? `docs/${page}`;
