import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { sourceOf } from './repository.js';
import { sidebar } from './sidebar.js';

type Item = DefaultTheme.SidebarItem;

interface Page {
  readonly title: string;
  readonly link: string;
  readonly text: string;
}

const root = new URL('../../', import.meta.url);

/** The groups of pages that language models read. The API is in the types of the package, and each rule in its finding. */
const groups: readonly string[] = ['/guide/', '/recipes/', '/concepts/', '/reference/'];

/** Writes llms.txt, with the first sentence of each page, and llms-full.txt, with the pages (https://llmstxt.org/). */
export function writeLlmsFiles(folder: string, { title, description }: Record<'title' | 'description', string>): void {
  const sections = groups.flatMap((group) => (sidebar[group] as Item[]).filter(({ text }) => text !== 'API'));
  const lists = sections.map(({ text = '', items = [] }) => `## ${text}\n\n${items.flatMap(entriesOf).join('')}`);
  writeFileSync(join(folder, 'llms.txt'), `# ${title}\n\n> ${description}\n\n${lists.join('\n')}`);
  writeFileSync(
    join(folder, 'llms-full.txt'),
    sections
      .flatMap(pagesOf)
      .map(({ text }) => text)
      .join('\n'),
  );
}

const entriesOf = (item: Item): readonly string[] =>
  pagesOf(item).map(({ title, link, text }) => `- [${title}](/docs${link}): ${firstSentence(text)}\n`);

/** The pages of an item and of those in it, except the pages of lint rules. */
function pagesOf({ text = '', link, items = [] }: Item): readonly Page[] {
  const own =
    link === undefined
      ? []
      : [
          {
            title: text.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
            link: link.replace(/[^/]$/, '$&.html'),
            text: textAt(link),
          },
        ];
  return [...own, ...(link === '/rules/' ? [] : items.flatMap(pagesOf))];
}

const textAt = (link: string): string =>
  readFileSync(new URL(sourceOf(`${link.slice(1).replace(/\/$/, '/index')}.md`), root), 'utf8');

/** The first sentence of the first paragraph, without Markdown. */
export function firstSentence(markdown: string): string {
  const withoutCode = markdown.replaceAll(/^```[^]*?^```$/gm, '');
  const paragraph = withoutCode.split(/\n{2,}/).find((block) => /^[A-Z`[*]/.test(block)) ?? '';
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ');
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}
