import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes } from 'parse5';
import type { Environment, HtmlTagDescriptor, Plugin, ResolvedConfig } from 'vite';
import { escapeAttribute } from '../../compiler/html/text.js';
import { attributeOf } from '../../lint/page/place.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';
import { pageScriptFiles, readPageScript, type PageScript } from '../../site/page-script.js';
import { manifestPaths, type InjectOptions, type WebmcpFormsOptions } from '../options.js';
import { encodePath, relativeUrl } from '../outputs.js';
import type { Site } from '../site.js';

interface Script extends PageScript {
  /** The path relative to the base URL. */
  readonly path: string;
}

const inlineFile = 'webmcp-forms.full.iife.js';

/** The page script, followed by the agent script unless the page script is inlined. */
export const readScripts = ({ inline }: InjectOptions, config: Pick<ResolvedConfig, 'build'>): readonly Script[] =>
  (inline ? [inlineFile] : pageScriptFiles).map((file) => readScript(file, config));

function readScript(file: string, { build: { assetsDir } }: Pick<ResolvedConfig, 'build'>): Script {
  const script = readPageScript(file);
  const name = file.replace(/\.js$/, `-${createHash('sha256').update(script.code).digest('hex').slice(0, 8)}.js`);
  return { ...script, path: posix.join(assetsDir, name) };
}

export function resolveInjectOptions({ inject, profile, sensitive }: WebmcpFormsOptions): InjectOptions | undefined {
  if (!inject) return undefined;
  return { ...(profile && { profile }), ...(sensitive && { sensitive }), ...(inject !== true && inject) };
}

/** Adds the script and the link to pages, after other plugins. */
export function injectPlugin(options: WebmcpFormsOptions, site: Site): Plugin[] {
  const inject = resolveInjectOptions(options);
  const [manifest] = manifestPaths(options);
  const scripts = new WeakMap<Environment | ResolvedConfig, readonly Script[]>();
  const environments = new WeakMap<object, Environment>();
  return [
    {
      name: 'webmcp-forms:inject-start',
      apply: 'build',
      generateBundle: {
        order: 'pre',
        handler(_, bundle) {
          environments.set(bundle, this.environment); // the HTML hooks of Vite 6 have the bundle, but no environment
        },
      },
    },
    {
      name: 'webmcp-forms:inject',
      transformIndexHtml: {
        order: 'post',
        async handler(html, { path, server, bundle }) {
          const context = this as unknown as { readonly environment: Environment }; // untyped in Vite 7 and 8
          const owner = server?.config ?? (bundle && environments.get(bundle)) ?? context.environment;
          const config = 'config' in owner ? owner.config : owner;
          const urlOf = (file: string): string => fileUrl(path, file, config.base);
          const tags: HtmlTagDescriptor[] = [];
          if (options.link !== undefined && manifest !== undefined) tags.push(linkTag(options.link, urlOf(manifest)));
          if (!inject || !(await isSelected(html, inject, site))) return tags;
          const all = scripts.get(owner) ?? readScripts(inject, config);
          scripts.set(owner, all);
          const tag = scriptTag(all, inject, urlOf);
          if (typeof tag.attrs.src === 'string' && html.includes(tag.attrs.src)) return tags;
          return insertFirstScript(html, tag, tags);
        },
      },
      generateBundle: {
        order: 'post',
        handler() {
          if (inject?.inline || this.environment.config.consumer !== 'client') return;
          for (const { path, code } of scripts.get(this.environment) ?? [])
            this.emitFile({ type: 'asset', fileName: path, source: code });
        },
      },
    },
  ];
}

async function isSelected(html: string, { pages = 'tools' }: InjectOptions, site: Site): Promise<boolean> {
  if (pages === 'all') return true;
  const outcome = await site.read(html);
  return 'result' in outcome && outcome.result.tools.length > 0;
}

/** The URL of a file. With a relative base, it is relative to the page. */
const fileUrl = (page: string, file: string, base: string): string =>
  base === '' || base === './' ? relativeUrl(page, file) : base + encodePath(file);

const linkTag = (rel: string, href: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel, type: 'application/json', href },
  injectTo: 'head',
});

function scriptTag(
  [page, agent]: readonly Script[],
  { profile, sensitive, autosubmitOrigins, integrity }: InjectOptions,
  urlOf: (path: string) => string,
): ScriptTag {
  const { path, code, integrity: hash } = page as Script;
  const options = {
    ...(profile && { 'data-profile': profile }),
    ...(sensitive && { 'data-sensitive': sensitive }),
    ...(autosubmitOrigins && { 'data-autosubmit-origins': autosubmitOrigins.join(' ') }),
  };
  if (!agent) return { attrs: options, children: code };
  const src = urlOf(path);
  const hashes = { integrity: hash, 'data-integrity': agent.integrity };
  const attrs = {
    src,
    'data-chunk': posix.basename(agent.path),
    ...(integrity && hashes),
    ...(integrity && /^(?:https?:)?\/\//.test(src) && { crossorigin: 'anonymous' }),
    ...options,
  };
  return { attrs, children: '' };
}

interface ScriptTag {
  readonly attrs: Readonly<Record<string, string>>;
  readonly children: string;
}

interface TransformedHtml {
  readonly html: string;
  readonly tags: HtmlTagDescriptor[];
}

/**
 * Inserts a classic script before all other scripts, but after the page's charset, which must be in the first 1,024 bytes.
 * If another script is before the charset, the charset is repeated before the inserted script.
 */
function insertFirstScript(html: string, tag: ScriptTag, tags: readonly HtmlTagDescriptor[]): TransformedHtml {
  const head = headElements(html);
  const charset = head.findIndex(isCharset);
  const script = head.findIndex(isScript);
  const end = head[charset]?.sourceCodeLocation?.endOffset;
  if (end !== undefined && (script < 0 || charset < script))
    return { html: `${html.slice(0, end)}\n${serialize(tag)}${html.slice(end)}`, tags: [...tags] };
  const prepended = { tag: 'script', ...tag, injectTo: 'head-prepend' } as const;
  const repeated = { tag: 'meta', attrs: { charset: 'utf-8' }, injectTo: 'head-prepend' } as const;
  return { html, tags: [...tags, ...(end === undefined ? [] : [repeated]), prepended] };
}

function headElements(html: string): readonly Parse5Element[] {
  const page = elementsIn(parse(html, { sourceCodeLocationInfo: true })).find(({ tagName }) => tagName === 'html');
  const head = page && elementsIn(page).find(({ tagName }) => tagName === 'head');
  return head ? elementsIn(head) : [];
}

const elementsIn = ({ childNodes }: DefaultTreeAdapterTypes.ParentNode): readonly Parse5Element[] =>
  childNodes.filter((node) => defaultTreeAdapter.isElementNode(node));

const isCharset = (element: Parse5Element): boolean =>
  element.tagName === 'meta' &&
  (attributeOf(element, 'charset') !== undefined ||
    attributeOf(element, 'http-equiv')?.toLowerCase() === 'content-type');

/** Whether an element is a script that may run during parsing. Modules without `async` are deferred. */
const isScript = (element: Parse5Element): boolean =>
  element.tagName === 'script' &&
  (attributeOf(element, 'type')?.toLowerCase() !== 'module' || attributeOf(element, 'async') !== undefined);

const serialize = ({ attrs, children }: ScriptTag): string =>
  `<script${Object.entries(attrs)
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join('')}>${children}</script>`;
