import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix } from 'node:path';
import type { Environment, HtmlTagDescriptor, Plugin, ResolvedConfig } from 'vite';
import { manifestPaths, type InjectOptions, type ScriptName, type WebmcpFormsOptions } from '../options.js';
import { encodePath, relativeUrl } from '../outputs.js';
import type { Site } from '../site.js';
import { insertFirstScript, type ScriptTag } from './first-script.js';

export interface Script {
  /** Relative to the base URL. */
  readonly path: string;
  readonly code: string;
  readonly integrity: string;
}

const scriptFiles: Readonly<Record<ScriptName, string>> = {
  base: 'webmcp-forms.iife.js',
  full: 'webmcp-forms.full.iife.js',
};

export function readScript(inject: InjectOptions, { build: { assetsDir } }: Pick<ResolvedConfig, 'build'>): Script {
  const file = scriptFiles[inject.script ?? 'base'];
  const text = readFileSync(createRequire(import.meta.url).resolve(`webmcp-forms/${file}`), 'utf8');
  const code = text.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n');
  const hash = (algorithm: string, encoding: 'base64' | 'hex') => createHash(algorithm).update(code).digest(encoding);
  const name = file.replace(/\.js$/, `-${hash('sha256', 'hex').slice(0, 8)}.js`);
  return { path: posix.join(assetsDir, name), code, integrity: `sha384-${hash('sha384', 'base64')}` };
}

export function resolveInjectOptions({ inject, profile, sensitive }: WebmcpFormsOptions): InjectOptions | undefined {
  if (!inject) return undefined;
  const own = inject === true ? {} : typeof inject === 'string' ? { script: inject } : inject;
  return { ...(profile && { profile }), ...(sensitive && { sensitive }), ...own };
}

/** Adds the script and the link to pages, after other plugins. */
export function injectPlugin(options: WebmcpFormsOptions, site: Site): Plugin[] {
  const inject = resolveInjectOptions(options);
  const [manifest] = manifestPaths(options);
  const scripts = new WeakMap<Environment | ResolvedConfig, Script>();
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
          const script = scripts.get(owner) ?? readScript(inject, config);
          scripts.set(owner, script);
          const tag = scriptTag(script, inject, urlOf(script.path));
          if (typeof tag.attrs.src === 'string' && html.includes(tag.attrs.src)) return tags;
          return insertFirstScript(html, tag, tags);
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

async function isSelected(html: string, { pages = 'tools' }: InjectOptions, site: Site): Promise<boolean> {
  if (pages === 'all') return true;
  const outcome = await site.read(html);
  return 'result' in outcome && outcome.result.tools.length > 0;
}

/** With a relative base, the URL is relative to the page. */
const fileUrl = (page: string, file: string, base: string): string =>
  base === '' || base === './' ? relativeUrl(page, file) : base + encodePath(file);

const linkTag = (rel: string, href: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel, type: 'application/json', href },
  injectTo: 'head',
});

function scriptTag(script: Script, inject: InjectOptions, src: string): ScriptTag {
  const { profile, sensitive } = inject.script === 'full' ? inject : {};
  const options = { ...(profile && { 'data-profile': profile }), ...(sensitive && { 'data-sensitive': sensitive }) };
  if (inject.inline) return { attrs: options, children: script.code };
  const isCrossOrigin = /^(?:https?:)?\/\//.test(src);
  const attrs = {
    src,
    ...(inject.integrity && { integrity: script.integrity }),
    ...(inject.integrity && isCrossOrigin && { crossorigin: 'anonymous' }),
    ...options,
  };
  return { attrs, children: '' };
}
