import type { ProfileName, Sensitive } from '../compiler/index.js';

/** Options of `webmcpForms`. */
export interface WebmcpFormsOptions {
  /**
   * Where the manifest is, relative to the base URL; the first of several is the one that pages link to. `false` makes
   * none.
   * @default 'webmcp.json'
   */
  readonly manifest?: string | readonly string[] | false;
  /**
   * The `rel` of a link to the manifest in each page. No standard has such a relation.
   * @default no link
   */
  readonly link?: string;
  /** The manifest's name. @default the nearest package.json's, or site */
  readonly name?: string;
  /** The manifest's description. @default the nearest package.json's, or none */
  readonly description?: string;
  /** The manifest's version. @default the nearest package.json's, or 0.0.0 */
  readonly version?: string;
  /** Which schemas the tools of the manifest get. @default 'precise' */
  readonly profile?: ProfileName;
  /**
   * Whether passwords, payment data and one-time codes become parameters.
   * @default 'include' for the profile chromium, 'exclude' for the others
   */
  readonly sensitive?: Sensitive;
  /** Whether an error among the diagnostics fails the build, and shows in dev over the page. @default false */
  readonly strict?: boolean;
  /** Globs of the paths of pages to read, such as `shop/**`. @default all */
  readonly include?: string | readonly string[];
  /** Globs of the paths of pages to leave out. @default none */
  readonly exclude?: string | readonly string[];
  /** Whether pages get the script that makes live tools of their forms. `true` is `'base'`. @default false */
  readonly inject?: boolean | ScriptName | InjectOptions;
  /**
   * Whether `virtual:webmcp-forms/validators` checks inputs by code that Ajv has made at build time.
   * @default false
   */
  readonly validators?: boolean | ValidatorsOptions;
  /** Whether style rules for `:tool-form-active` and `:tool-submit-active` hold in every browser. @default true */
  readonly css?: boolean;
}

/** `webmcp-forms.iife.js`, or `webmcp-forms.full.iife.js`. */
export type ScriptName = 'base' | 'full';

export interface InjectOptions {
  /** @default 'base' */
  readonly script?: ScriptName;
  /** The pages that get it: those with tools in their markup, or all. @default 'tools' */
  readonly pages?: 'tools' | 'all';
  /** Whether the script's text stands in the page. @default false */
  readonly inline?: boolean;
  /** Whether the tag has the script's hash, so that the browser runs no other. @default false */
  readonly integrity?: boolean;
  /** `data-profile` of the full script. @default the option `profile`, if it is given */
  readonly profile?: ProfileName;
  /** `data-sensitive` of the full script. @default the option `sensitive`, if it is given */
  readonly sensitive?: Sensitive;
}

export interface ValidatorsOptions {
  /** Where their code is, relative to the base URL. @default 'webmcp-validators.js' */
  readonly file?: string;
  /** The input schemas of tools that are in no page's markup, by the names of the tools. */
  readonly schemas?: Readonly<Record<string, object>>;
}

/** A path below the base URL as an option gives it, without the slash at its start. */
export function filePath(path: string, option: string): string {
  const relative = path.replace(/^\/+/, '');
  const parts = relative.split('/');
  if (parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\?#\0]/.test(part))) return relative;
  throw new TypeError(`webmcpForms: ${option} is no path of a file below the base URL: ${JSON.stringify(path)}`);
}

/** Where manifests go. */
export function manifestPaths({ manifest = 'webmcp.json' }: WebmcpFormsOptions): readonly string[] {
  if (manifest === false) return [];
  return (typeof manifest === 'string' ? [manifest] : manifest).map((path) => filePath(path, 'manifest'));
}
