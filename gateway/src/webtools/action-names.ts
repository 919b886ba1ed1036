import { preview } from 'webmcp-forms/headless';
import type { Action } from './actions.js';

type NamedTool = Pick<Action, 'name' | 'page'>;

/** The maximum length of names in some MCP clients. */
const maxNameLength = 64;
const maxToolNameLength = 40;

/**
 * The names of the actions of a manifest, in the order of its tools. If different tools have the same name, the paths of their
 * pages are added to their names.
 */
export function actionNames(tools: readonly NamedTool[]): readonly string[] {
  const counts = countBy(tools.map(({ name }) => name));
  const isOnly = ({ name }: NamedTool): boolean => counts.get(name) === 1;
  const names = tools.map((tool) => (isOnly(tool) ? tool.name : nameByPage(tool)));
  const uses = countBy(names);
  return names.map((name, index) => {
    const tool = tools[index] as NamedTool;
    return uses.get(name) === 1 || isOnly(tool) ? name : nameByPage(tool, digestOf(tool.page));
  });
}

function countBy(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Adds a page's path to a name. A long path is shortened to its end, which is the most specific part, and a digest. */
function nameByPage({ name, page }: NamedTool, digest = ''): string {
  const start = name.slice(0, maxToolNameLength);
  const slug = slugOf(page);
  const isWhole = slug !== '' && digest === '' && start.length + slug.length < maxNameLength;
  if (isWhole) return `${start}-${slug}`;
  const end = digestOf(page);
  const rest = slug.slice(Math.min(0, start.length + end.length + 2 - maxNameLength) || slug.length);
  return [start, rest.replace(/^-/, ''), end].filter(Boolean).join('-');
}

/** The letters and digits of a page's path and query: `books-dune` of `books/dune.html`. */
function slugOf(page: string): string {
  const path = page.replace(/\/$|^$/, '/index').replace(/\.(?:html?|php)(?=$|\?)/, '');
  return path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '');
}

/** https://en.wikipedia.org/wiki/Fowler-Noll-Vo_hash_function */
function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const unit of new TextEncoder().encode(text)) hash = Math.imul(hash ^ unit, 0x01000193) >>> 0;
  return hash.toString(36);
}

export function pageSentence(page: string, title: string | undefined): string {
  const place = page === '' ? 'index.html' : page;
  return title === undefined ? `It is on the page ${place}.` : `It is on the page ${preview(title)} (${place}).`;
}
