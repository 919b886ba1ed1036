import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix } from 'node:path';
import type { Environment, HtmlTagDescriptor, Plugin, ResolvedConfig } from 'vite';
import { compileHtml } from '../../site/compile-html.js';
import { withFirstScript, type ScriptTag } from './first-script.js';
import { manifestPaths, type InjectOptions, type ScriptName, type WebmcpFormsOptions } from '../options.js';

/** A classic script of this package. */
export interface Script {
  /** Relative to the base URL. */
  readonly path: string;
  readonly code: string;
  readonly integrity: string;
}

const files: Readonly<Record<ScriptName, string>> = {
  base: 'webmcp-forms.iife.js',
  full: 'webmcp-forms.full.iife.js',
};

/** The script that pages get. */
export function scriptOf(inject: InjectOptions, { build: { assetsDir } }: Pick<ResolvedConfig, 'build'>): Script {
  const file = files[inject.script ?? 'base'];
  const text = readFileSync(createRequire(import.meta.url).resolve(`webmcp-forms/${file}`), 'utf8');
  const code = text.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n');
  const hash = (algorithm: string, encoding: 'base64' | 'hex') => createHash(algorithm).update(code).digest(encoding);
  const name = file.replace(/\.js$/, `-${hash('sha256', 'hex').slice(0, 8)}.js`);
  return { path: posix.join(assetsDir, name), code, integrity: `sha384-${hash('sha384', 'base64')}` };
}

/** What pages get, or undefined if they get nothing. */
export function injectOptions({ inject = false, profile, sensitive }: WebmcpFormsOptions): InjectOptions | undefined {
  if (inject === false) return undefined;
  const own = inject === true ? {} : typeof inject === 'string' ? { script: inject } : inject;
  return { ...(profile && { profile }), ...(sensitive && { sensitive }), ...own };
}

/** The environment of a build, or the configuration of a dev server: what the state of the plugin is kept for. */
type Owner = Environment | ResolvedConfig;

/** Puts the script and the link to the manifest into pages, when other plugins are done with them. */
export function injectPlugin(options: WebmcpFormsOptions): Plugin[] {
  const inject = injectOptions(options);
  const [manifest] = manifestPaths(options);
  const scripts = new WeakMap<Owner, Script>();
  const builds = new WeakMap<object, Environment>();
  return [
    {
      name: 'webmcp-forms:inject-start',
      apply: 'build',
      generateBundle: {
        order: 'pre',
        handler(_, bundle) {
          builds.set(bundle, this.environment); // the HTML hooks of Vite 6 know of a build its bundle alone
        },
      },
    },
    {
      name: 'webmcp-forms:inject',
      transformIndexHtml: {
        order: 'post',
        handler(html, { path, server, bundle }) {
          const context = this as unknown as object; // none in Vite 6
          const owner = server?.config ?? builds.get(bundle ?? context) ?? environmentOf(context);
          const config = 'config' in owner ? owner.config : owner;
          const url = (file: string): string => urlFrom(path, file, config.base);
          const tags: HtmlTagDescriptor[] = [];
          if (options.link !== undefined && manifest !== undefined) tags.push(linkTag(options.link, url(manifest)));
          if (!inject || !isWanted(html, inject)) return tags;
          const script = scripts.get(owner) ?? scriptOf(inject, config);
          scripts.set(owner, script);
          const tag = scriptTag(script, inject, url(script.path));
          if (typeof tag.attrs.src === 'string' && html.includes(tag.attrs.src)) return tags;
          return withFirstScript(html, tag, tags);
        },
      },
      generateBundle: {
        order: 'post',
        handler() {
          const script = scripts.get(this.environment);
          if (!script || inject?.inline || this.environment.config.consumer !== 'client') return;
          this.emitFile({ type: 'asset', fileName: script.path, source: script.code });
        },
      },
    },
  ];
}

/** Vite 7 and 8 give HTML hooks the context of the build, and do not say so in its type. */
const environmentOf = (context: object): Environment => (context as { readonly environment: Environment }).environment;

const isWanted = (html: string, { pages = 'tools' }: InjectOptions): boolean =>
  pages === 'all' || compileHtml(html, { path: 'page' }).tools.length > 0;

/** A base without a place of its own is relative to each page. */
function urlFrom(page: string, file: string, base: string): string {
  const path = file.split('/').map(encodeURIComponent).join('/');
  if (base !== '' && base !== './') return base + path;
  return posix.relative(posix.dirname(page), `/${path}`);
}

const linkTag = (rel: string, href: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel, type: 'application/json', href },
  injectTo: 'head',
});

function scriptTag(
  { code, integrity }: Script,
  { script, inline, integrity: isPinned, profile, sensitive }: InjectOptions,
  src: string,
): ScriptTag {
  const data: Record<string, string> = {};
  if (script === 'full' && profile) data['data-profile'] = profile;
  if (script === 'full' && sensitive) data['data-sensitive'] = sensitive;
  if (inline) return { attrs: data, children: code };
  const pinned: Record<string, string> = isPinned ? { integrity } : {};
  if (isPinned && /^(?:https?:)?\/\//.test(src)) pinned.crossorigin = 'anonymous';
  return { attrs: { src, ...pinned, ...data }, children: '' };
}
