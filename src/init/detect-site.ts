import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import {
  childrenOf,
  isString,
  JsxParser,
  nodeOf,
  nodesOf,
  parseModule,
  type SyntaxNode,
} from '../annotate/templates/jsx/parse-jsx.js';
import { ifParsed } from '../annotate/templates/masked-text.js';
import { maxConfigBytes } from '../site/limits.js';
import { readTextFile } from '../site/pages/read-text.js';
import { isInside } from '../site/rewrite-file.js';
import { UsageError } from '../site/usage-error.js';
import { frameworks, unknownFrameworks, type Framework, type PublicFolder } from './frameworks.js';
import { packagesIn } from './package-json.js';

export const siteKinds = ['static', 'vite', 'templates'] as const;
export type SiteKind = (typeof siteKinds)[number];

/** The project of a site, and the way it publishes files. */
export interface DetectedSite {
  readonly kind: SiteKind;
  /** The name for messages, such as `Django`. */
  readonly name: string;
  /** The absolute path of the folder of the pages or templates. */
  readonly folder: string;
  /** The absolute path of the folder with package.json, or `folder`. */
  readonly root: string;
  /** The content of package.json in `root`. */
  readonly packageJson: string | undefined;
  /** The file name of the Vite configuration. */
  readonly viteConfig?: string;
  /** The folder that the scripts are copied to. */
  readonly assets: PublicFolder;
  /** The URL of the site's server during development. */
  readonly url: string;
  /** Whether the files of the project show that `assets` is served. */
  readonly isServed: boolean;
}

/**
 * Detects the kind of site in a folder.
 *
 * @param kind - the kind, if the user names it
 * @throws {UsageError} if the folder does not exist, or its framework is unknown
 */
export async function detectSite(name: string, cwd: string, kind?: SiteKind): Promise<DetectedSite> {
  const folder = resolve(cwd, name);
  if (!existsSync(folder)) throw new UsageError(`Cannot read ${name}: it does not exist. Name the folder of the site.`);
  if (!statSync(folder).isDirectory()) throw new UsageError(`${name} is not a folder. Name the folder of the site.`);
  const root = rootOf(folder, cwd);
  const packageJson = existsSync(join(root, 'package.json'))
    ? await readTextFile(join(root, 'package.json'), 'package.json', maxConfigBytes)
    : undefined;
  const project = { folder, root, packageJson };
  const packages = packagesIn(packageJson);
  const framework = frameworks.find((each) => isUsed(each, [root, folder], packages));
  const viteConfig = viteConfigs.find((file) => existsSync(join(root, file)));
  if (kind === undefined) checkKnown([root, folder], packages, framework);
  const isTemplates = framework && (framework.packages === undefined || viteConfig === undefined);
  const found = kind ?? (isTemplates ? 'templates' : viteConfig === undefined ? 'static' : 'vite');
  if (found === 'templates') return await templateSite(project, framework);
  if (found === 'static') return staticSite(project);
  if (viteConfig === undefined) throw new UsageError('vite.config does not exist. Name the folder of the project.');
  return { ...staticSite(project), kind: 'vite', name: 'Vite', viteConfig, url: 'http://localhost:5173/' };
}

type Project = Pick<DetectedSite, 'folder' | 'root' | 'packageJson'>;

const viteConfigs = ['js', 'mjs', 'ts', 'mts', 'cjs', 'cts'].map((extension) => `vite.config.${extension}`);

/** The nearest folder with a package.json, up to the working directory; otherwise the folder of the site. */
export function rootOf(folder: string, cwd: string): string {
  for (let root = folder; isInside(root, resolve(cwd)); root = dirname(root))
    if (existsSync(join(root, 'package.json'))) return root;
  return folder;
}

const isUsed = (
  { files = [], packages = [] }: Partial<Pick<Framework, 'files' | 'packages'>>,
  folders: readonly string[],
  installed: ReadonlySet<string>,
): boolean =>
  files.some((file) => folders.some((folder) => existsSync(join(folder, file)))) ||
  packages.some((name) => installed.has(name));

/** Rejects unknown frameworks. A framework with its own files, such as Laravel, may also use packages of unknown frameworks. */
function checkKnown(folders: readonly string[], installed: ReadonlySet<string>, framework?: Framework): void {
  const isOwn = framework !== undefined && framework.packages === undefined;
  const unknown = unknownFrameworks.find((each) =>
    isUsed({ ...each, ...(isOwn && { packages: [] }) }, folders, installed),
  );
  if (!unknown) return;
  throw new UsageError(
    `init does not know sites of ${unknown.name}, and has changed nothing. Run webmcp-forms annotate --write for the forms, and import 'webmcp-forms/auto' in the first script of the pages, or set --kind.`,
  );
}

const preferred = ['assets', 'static', 'js', 'scripts'];

/** A site of static pages. They refer to the scripts by relative URLs, so that the folder can be published at any URL. */
function staticSite(project: Project): DetectedSite {
  const { folder, root } = project;
  const name = preferred.find((each) => existsSync(join(folder, each))) ?? 'assets';
  const assets = { folder: slashes(relative(root, join(folder, name))), url: `/${name}/` };
  return { ...project, kind: 'static', name: 'Static pages', assets, url: 'http://localhost:8080/', isServed: true };
}

async function templateSite(project: Project, framework: Framework | undefined): Promise<DetectedSite> {
  const { root } = project;
  const { name, publicFolders, url } = framework ?? other;
  const inCode = framework?.packages ? await staticFolders(root) : [];
  const known = [...inCode, ...publicFolders];
  const existing = known.find((each) => existsSync(join(root, each.folder))) ?? inCode[0];
  const inApplication = name === 'Django' && !existing ? await djangoStatic(project) : undefined;
  const found = existing ?? inApplication;
  const assets = found ?? publicFolders[0];
  const isServed = framework?.packages ? inCode.includes(assets) : found !== undefined;
  return { ...project, kind: 'templates', name, assets, url, isServed };
}

const other: Framework = {
  name: 'Templates of a server',
  publicFolders: [
    { folder: 'static', url: '/static/' },
    { folder: 'public', url: '/' },
    { folder: 'assets', url: '/assets/' },
  ],
  url: 'http://localhost:8000/',
};

/** The folder `static` beside an application's `templates`. Django serves a project's `static` only with a setting. */
async function djangoStatic({ folder, root }: Project): Promise<PublicFolder | undefined> {
  const names = await readdir(root);
  const applications = [dirname(folder), ...names.sort().map((name) => join(root, name))];
  const found = applications.find((each) => existsSync(join(each, 'templates')) && existsSync(join(each, 'apps.py')));
  return found === undefined ? undefined : { folder: slashes(relative(root, join(found, 'static'))), url: '/static/' };
}

const slashes = (path: string): string => path.replaceAll('\\', '/');

/** Folders that builds, package managers and tests write. */
const generated = new Set(
  'dist build out coverage vendor venv env target tmp storage bower_components site-packages __pycache__'.split(' '),
);

/** Whether the path of a file indicates a source file. A static site can be in any folder. */
export function isSiteFile(path: string, kind: SiteKind): boolean {
  const folders = path.split(/[\\/]/).slice(0, -1);
  if (folders.includes('node_modules')) return false;
  if (kind === 'vite' && folders[0] === 'public') return false; // copied unchanged, without the script
  return kind === 'static' || !folders.some((folder) => generated.has(folder));
}

const folders = ['.', 'src', 'server', 'app'];
const maxModules = 100;
const maxBytes = 200_000;

/** Finds the folders that the modules of a server publish with `app.use(path, express.static(folder))`. */
async function staticFolders(root: string): Promise<readonly PublicFolder[]> {
  const found: PublicFolder[] = [];
  for (const file of await serverModules(root)) {
    const code = await readTextFile(file, file, maxBytes).catch(() => '');
    if (!code.includes('static(')) continue;
    for (const { folder, url } of calls(code)) {
      const at = folder.isBesideModule ? join(dirname(file), ...folder.parts) : join(root, ...folder.parts);
      if (isInside(at, root)) found.push({ folder: relative(root, at).replaceAll('\\', '/') || '.', url });
    }
  }
  return found;
}

async function serverModules(root: string): Promise<readonly string[]> {
  const lists = folders.map(async (folder) => {
    const names = await readdir(join(root, folder)).catch((): string[] => []);
    return names
      .filter((name) => /\.[cm]?[jt]s$/.test(name))
      .sort()
      .map((name) => join(root, folder, name));
  });
  return (await Promise.all(lists)).flat().slice(0, maxModules);
}

interface StaticCall {
  readonly url: string;
  readonly folder: { readonly parts: readonly string[]; readonly isBesideModule: boolean };
}

const calls = (code: string): readonly StaticCall[] => ifParsed(() => [...callsIn(parseModule(JsxParser, code))]) ?? [];

function* callsIn(node: SyntaxNode): Generator<StaticCall> {
  const middleware = isMethodCall(node, 'use') ? nodesOf(node.arguments) : [];
  const [first] = middleware;
  for (const call of middleware.flatMap(staticCallsIn)) {
    const [path] = nodesOf(call.arguments);
    const parts = path ? stringsIn(path) : [];
    if (!path || parts.length === 0) continue;
    const url = first && isString(first) ? `/${first.value}/`.replaceAll(/\/{2,}/g, '/') : '/';
    yield { url, folder: { parts, isBesideModule: isBesideModule(path) } };
  }
  for (const child of childrenOf(node)) yield* callsIn(child);
}

/** The calls of `express.static`, including those in type assertions and in arguments of other calls. */
const staticCallsIn = (node: SyntaxNode): readonly SyntaxNode[] =>
  isMethodCall(node, 'static') ? [node] : childrenOf(node).flatMap(staticCallsIn);

function isMethodCall(node: SyntaxNode, method: string): boolean {
  const property = nodeOf(nodeOf(node.callee)?.property);
  return node.type === 'CallExpression' && property?.name === method;
}

const stringsIn = (node: SyntaxNode): readonly string[] =>
  isString(node) ? [node.value] : childrenOf(node).flatMap(stringsIn);

const isBesideModule = (node: SyntaxNode): boolean =>
  node.type === 'MetaProperty' || node.name === '__dirname' || childrenOf(node).some(isBesideModule);
