import type { ProfileName, Sensitive } from '../compiler/index.js';

/** Options of `webmcpForms`. */
export interface WebmcpFormsOptions {
  /**
   * The path of the manifest below the base URL. With several paths, `link` refers to the first. `false` disables the
   * manifest.
   * @default 'webmcp.json'
   */
  readonly manifest?: string | readonly string[] | false;
  /**
   * The `rel` of a link to the manifest in each page. No standard defines such a relation.
   * @default no link
   */
  readonly link?: string;
  /** The manifest's name. @default the name in the nearest package.json, or site */
  readonly name?: string;
  /** The manifest's description. @default '' */
  readonly description?: string;
  /** The manifest's version. @default the version in the nearest package.json, or 0.0.0 */
  readonly version?: string;
  /** The profile of the input schemas in the manifest. @default 'precise' */
  readonly profile?: ProfileName;
  /**
   * Whether passwords, payment data and one-time codes become parameters.
   * @default 'include' for the profile chromium, 'exclude' for the other profiles
   */
  readonly sensitive?: Sensitive;
  /** Whether an error among the diagnostics fails the build, and shows Vite's overlay in dev. @default false */
  readonly strict?: boolean;
  /**
   * Whether the dev server logs suggestions for forms without annotations. `'overlay'` also shows them in a panel.
   * @default false
   */
  readonly suggest?: boolean | 'overlay';
  /** Globs of the paths of pages to read, such as `shop/**`. @default all */
  readonly include?: string | readonly string[];
  /** Globs of the paths of pages to skip. @default none */
  readonly exclude?: string | readonly string[];
  /** Whether to add to pages the script that registers their forms as tools. @default false */
  readonly inject?: boolean | InjectOptions;
  /**
   * Whether `virtual:webmcp-forms/validators` validates input with code that Ajv generates at build time.
   * @default false
   */
  readonly validators?: boolean | ValidatorsOptions;
  /** Whether rules for `:tool-form-active` and `:tool-submit-active` are rewritten for every browser. @default true */
  readonly css?: boolean;
}

export interface InjectOptions {
  /** The pages with the script: pages with tools in their markup, or all pages. @default 'tools' */
  readonly pages?: 'tools' | 'all';
  /** Whether the script is inline, as one script with all parts. @default false */
  readonly inline?: boolean;
  /** Whether the script and the scripts that it loads have `integrity` attributes. @default false */
  readonly integrity?: boolean;
  /** `data-profile` of the script. @default the option `profile` of the plugin */
  readonly profile?: ProfileName;
  /** `data-sensitive` of the script. @default the option `sensitive` of the plugin */
  readonly sensitive?: Sensitive;
  /** `data-autosubmit-origins` of the script. @default none */
  readonly autosubmitOrigins?: readonly string[];
}

export interface ValidatorsOptions {
  /** The path of the generated code below the base URL. @default 'webmcp-validators.js' */
  readonly file?: string;
  /** The input schemas of tools that are not in the markup of a page, by the names of the tools. */
  readonly schemas?: Readonly<Record<string, object>>;
}

/** The paths of the manifest, without leading slashes. */
export function manifestPaths({ manifest = 'webmcp.json' }: WebmcpFormsOptions): readonly string[] {
  if (manifest === false) return [];
  return (typeof manifest === 'string' ? [manifest] : manifest).map((path) => parsePath(path, 'manifest'));
}

export function validatorsPath({ validators }: WebmcpFormsOptions): string | undefined {
  if (!validators) return undefined;
  const { file = 'webmcp-validators.js' } = validators === true ? {} : validators;
  return parsePath(file, 'validators.file');
}

function parsePath(path: string, option: string): string {
  const relative = path.replace(/^\/+/, '');
  const parts = relative.split('/');
  if (parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\?#\0]/.test(part))) return relative;
  throw new TypeError(
    `webmcpForms: ${option} is not the path of a file below the base URL: ${JSON.stringify(path)}. Remove empty parts, dots and queries.`,
  );
}
