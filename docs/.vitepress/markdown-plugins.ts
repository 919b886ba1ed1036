import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { projectPages } from './generate/project-pages.js';
import { repository, sourceOf } from './repository.js';

export function prepareMarkdown(markdown: MarkdownRenderer): void {
  linkRepositoryFiles(markdown);
  escapeInterpolations(markdown);
  highlightOnce(markdown);
}

/** Highlights equal code once. VitePress renders each page for the site, and twice for the search. */
function highlightOnce({ options }: MarkdownRenderer): void {
  const { highlight } = options;
  if (!highlight) return;
  const known = new Map<string, string>();
  options.highlight = (...args) => {
    const key = JSON.stringify(args);
    const html = known.get(key) ?? highlight(...args);
    known.set(key, html);
    return html;
  };
}

/** Lets links to files outside `docs/` lead to the copies of these files in the site, or to the repository. */
function linkRepositoryFiles(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const { relativePath } = env as { readonly relativePath: string };
    for (const link of tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open'))
      link.attrSet('href', siteLink(link.attrGet('href') ?? '', relativePath));
  });
}

/** Lets Vue show `{{` in texts and code spans as it is written. */
function escapeInterpolations({ renderer: { rules } }: MarkdownRenderer): void {
  for (const name of ['text', 'code_inline'] as const) {
    const render = rules[name];
    rules[name] = (...args) => (render?.(...args) ?? '').replaceAll('{{', '&#123;&#123;');
  }
}

const pages = new Map(projectPages.map(({ source, page }) => [source, page]));

function siteLink(href: string, relativePath: string): string {
  const [, path = '', rest = ''] = /^([^#?]*)(.*)$/s.exec(href) ?? [];
  if (path === '' || /^([a-z]+:|\/)/i.test(path)) return href;
  const folder = posix.dirname(sourceOf(relativePath));
  const target = posix.join(folder, path);
  const page = pages.get(target) ?? (target.startsWith('docs/') ? target.slice('docs/'.length) : undefined);
  return page === undefined ? `${repository}/blob/main/${target}${rest}` : `/${page}${rest}`;
}
