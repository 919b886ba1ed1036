import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A fenced code block of a page. */
export interface CodeBlock {
  /** The path of the page, and the line of the block in it. */
  readonly place: string;
  readonly page: string;
  /** Empty if the fence has no language. */
  readonly language: string;
  readonly code: string;
}

const pages = [
  ...readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?!generated\/|\.vitepress\/).*\.md$/.test(path))
    .map((path) => `docs/${path}`),
  'README.md',
  'gateway/README.md',
  'demo/gateway/README.md',
  'skills/webmcp/SKILL.md',
].sort();

/** The code blocks of a page. Blocks in lists are indented. */
export const blocksIn = (page: string, text: string): readonly CodeBlock[] =>
  [...text.matchAll(/^( *)```(\S*)\n([^]*?)^\1```$/gm)].map(({ index, 1: indent, 2: language = '', 3: code = '' }) => ({
    place: `${page}:${text.slice(0, index).split('\n').length}`,
    page,
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));

export const blocks: readonly CodeBlock[] = pages.flatMap((page) =>
  blocksIn(page, readFileSync(`${root}/${page}`, 'utf8')),
);

export const blocksOf = (...languages: readonly string[]): readonly CodeBlock[] =>
  blocks.filter(({ language }) => languages.includes(language));
