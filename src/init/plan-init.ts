import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { FilePlan } from '../annotate/report/choose-forms.js';
import { loadKind } from '../annotate/templates/file-kinds.js';
import { pageScriptFiles, readPageScript } from '../site/page-script.js';
import { isPageFile } from '../site/pages/page-extensions.js';
import type { Manifest } from '../site/manifest/manifest.js';
import { readIfExists, type Change } from './changes.js';
import type { DetectedSite } from './detect-site.js';
import { firstTool, type FirstTool } from './first-call.js';
import { addToPackage } from './package-json.js';
import { compileSite, manifestFile, manifestChange } from './plan-manifest.js';
import { planPage, slashes, type PageScriptTag, type PlannedPage } from './plan-pages.js';
import { addVitePlugin, viteLines } from './vite-config.js';
import { isBelowRepository, portableWord, shellWord, workflowFile, workflowText } from './workflow.js';

export interface PlannedChange extends Change {
  /** The purpose for a list of the changes. */
  readonly purpose: string;
  /** Whether the file is a copy or an output, so that diffs omit its content. */
  readonly isGenerated?: true;
}

export interface InitPlan {
  readonly changes: readonly PlannedChange[];
  /** The steps that init leaves to the user, as sentences. */
  readonly notes: readonly string[];
  /** The tool for the first call; undefined if no form is a tool. */
  readonly tool: FirstTool | undefined;
  readonly hasManifest: boolean;
}

interface InitOptions {
  readonly cwd: string;
  readonly withWorkflow: boolean;
  /** Whether the user has named the URL of the scripts. */
  readonly isAbsolute: boolean;
}

/** Plans all changes of a project, and writes nothing. */
export async function planInit(
  site: DetectedSite,
  plans: readonly FilePlan[],
  options: InitOptions,
): Promise<InitPlan> {
  if (!plans.some(hasTools)) return { changes: [], notes: [], tool: undefined, hasManifest: false };
  const scripts = site.kind === 'vite' ? undefined : await planScripts(site, options);
  const pages = await planPages(site, plans, scripts?.tag);
  const manifest = await manifestOf(site, plans, pages, options.cwd);
  const vite = await planVite(site, plans);
  const sources = manifest && manifest.pages.length > 0 ? sourcesOf(site, plans) : undefined;
  const stored = sources === undefined || !manifest ? undefined : await manifestChange(site.root, manifest);
  const packages = await planPackage(site, checkCommand(site, sources));
  const workflow = options.withWorkflow ? await planWorkflow(site, sources) : undefined;
  const parts = [vite, stored, packages, workflow].filter((each) => each !== undefined);
  const changes = [
    ...(scripts?.changes ?? []),
    ...pages.flatMap(({ change }) => change ?? []),
    ...parts.flatMap(({ change }) => change ?? []),
  ];
  const notes = [...parts.flatMap(({ note }) => note ?? []), ...pageNotes(site, plans, pages)];
  const tool = (manifest && firstTool(manifest)) ?? firstSuggestion(plans);
  return { changes, notes, tool, hasManifest: sources !== undefined };
}

/** A change of a file, and a remaining step for the user. */
export interface PlannedPart {
  readonly change?: PlannedChange;
  readonly note?: string;
}

const hasTools = ({ file, chosen }: FilePlan): boolean => chosen.length + file.tools.length > 0;

interface PlannedScripts {
  readonly changes: readonly PlannedChange[];
  readonly tag: PageScriptTag;
}

async function planScripts(site: DetectedSite, { isAbsolute }: InitOptions): Promise<PlannedScripts> {
  const { assets, root } = site;
  const changes: PlannedChange[] = [];
  const replaced = new Map<string, string>();
  const scripts = pageScriptFiles.map((name) => ({ name, ...readPageScript(name) }));
  for (const { name, code, integrity } of scripts) {
    const file = assets.folder === '.' ? name : `${assets.folder}/${name}`;
    const before = await readIfExists(join(root, file));
    const after = Buffer.from(code);
    if (before?.equals(after)) continue;
    if (before) replaced.set(`sha384-${createHash('sha384').update(before).digest('base64')}`, integrity);
    changes.push({ file, before, after, isGenerated: true, purpose: before ? 'script of this release' : 'script' });
  }
  const [page, agent] = scripts;
  const hashes = { integrity: page?.integrity ?? '', 'data-integrity': agent?.integrity ?? '' };
  const [name] = pageScriptFiles;
  const url = assets.url + name;
  const file = assets.folder === '.' ? name : `${assets.folder}/${name}`;
  return { changes, tag: { file, url, isRelative: site.kind === 'static' && !isAbsolute, hashes, replaced } };
}

async function planPages(
  { root, kind }: DetectedSite,
  plans: readonly FilePlan[],
  script: PageScriptTag | undefined,
): Promise<readonly PlannedPage[]> {
  const pages: PlannedPage[] = [];
  const context = { root, script, withLayouts: kind === 'templates' };
  for (const plan of plans) {
    const isUnread = !hasTools(plan) && !context.withLayouts && !script?.replaced.size;
    const isSkipped = plan.file.problem !== undefined || isUnread;
    const unchanged = { change: undefined, text: undefined, hasScript: false };
    pages.push(isSkipped ? unchanged : await planPage(plan, context));
  }
  return pages;
}

/** The manifest of the changed pages. Templates have no manifest before a server renders them. */
async function manifestOf(
  site: DetectedSite,
  plans: readonly FilePlan[],
  pages: readonly PlannedPage[],
  cwd: string,
): Promise<Manifest | undefined> {
  if (site.kind === 'templates') return undefined;
  const sources = plans.flatMap(({ file: { input } }, index) =>
    isPageFile(input.file) ? { input, text: pages[index]?.text } : [],
  );
  return await compileSite(site.folder, sources, cwd);
}

/**
 * The argument of `compile` for the site: the folder if the site is static, otherwise a list of its pages, because the folder
 * may contain build output.
 */
function sourcesOf({ kind, root, folder }: DetectedSite, plans: readonly FilePlan[]): string {
  if (kind === 'static') return slashes(relative(root, folder)) || '.';
  const files = plans.map(({ file: { input } }) => input).filter(({ file }) => isPageFile(file));
  const [first = '', ...others] = files.map(({ at }) => slashes(relative(root, at ?? '')));
  return others.length === 0 && !first.includes('/') ? first : `{${[first, ...others].join(',')}}`;
}

async function planVite(site: DetectedSite, plans: readonly FilePlan[]): Promise<PlannedPart | undefined> {
  if (site.viteConfig === undefined || site.kind !== 'vite') return undefined;
  const file = site.viteConfig;
  const before = await readIfExists(join(site.root, file));
  if (!before) return undefined;
  const source = before.toString();
  const isInComponents = (await Promise.all(plans.filter(hasTools).map(isComponent))).includes(true);
  const options = isInComponents ? "{ inject: { pages: 'all' } }" : '{ inject: true }';
  // If the file is not UTF-8, the text has replacement characters.
  const changed = Buffer.from(source).equals(before) ? addVitePlugin(source, options) : undefined;
  if (changed === source) return {};
  if (changed === undefined)
    return { note: `${file} cannot be changed safely. Add these lines to it: ${viteLines(options).join(' and ')}` };
  return { change: { file, before, after: Buffer.from(changed), purpose: 'plugin webmcpForms' } };
}

const isComponent = async ({ file: { input } }: FilePlan): Promise<boolean> =>
  (await loadKind(input.file)).isComponent === true;

function checkCommand({ kind, url }: DetectedSite, sources: string | undefined): string | undefined {
  const check = `webmcp-forms compile --check --out ${manifestFile}`;
  if (kind === 'templates') return `${check} --depth 2 ${url}`;
  return sources === undefined ? undefined : `${check} ${portableWord(sources)}`;
}

async function planPackage(
  { root, packageJson, kind }: DetectedSite,
  script: string | undefined,
): Promise<PlannedPart | undefined> {
  const file = 'package.json';
  if (packageJson === undefined) return undefined;
  const changed = addToPackage(packageJson, { script, isDependency: kind === 'vite' || script !== undefined });
  if (changed === undefined) return { note: `${file} is not a JSON object. Correct it, and run the command again.` };
  if (changed === packageJson) return undefined;
  const before = await readFile(join(root, file));
  const purpose = script === undefined ? 'package webmcp-forms' : 'script webmcp, package webmcp-forms';
  return { change: { file, before, after: Buffer.from(changed), purpose } };
}

async function planWorkflow({ root }: DetectedSite, sources: string | undefined): Promise<PlannedPart> {
  if (sources === undefined)
    return {
      note: 'No workflow was added, because the tools are known only while the site runs. Start it in a job, and run the script webmcp.',
    };
  const before = await readIfExists(join(root, workflowFile));
  if (before !== undefined) return {};
  const after = Buffer.from(workflowText(shellWord(sources)));
  if (isBelowRepository(root))
    return {
      note: 'No workflow was added, because GitHub reads those in the root of the repository. Run init there.',
    };
  return { change: { file: workflowFile, before, after, purpose: 'workflow' } };
}

function pageNotes(
  { kind, assets, isServed }: DetectedSite,
  plans: readonly FilePlan[],
  pages: readonly PlannedPage[],
): readonly string[] {
  const problems = pages.flatMap(({ problem }, index) =>
    problem === undefined ? [] : [`${plans[index]?.file.input.file}: ${problem}`],
  );
  const isLoaded = kind === 'vite' || pages.some(({ hasScript }) => hasScript);
  const hasPages = plans.some(({ file: { input } }) => isPageFile(input.file));
  const tag = `<script src="${assets.url}${pageScriptFiles[0]}"></script>`;
  return [
    ...problems,
    ...(kind === 'vite' && !hasPages ? [noVitePage] : []),
    ...(isLoaded ? [] : [`No page or layout with a <head> was found. Add ${tag} to the head of the pages.`]),
    ...(isServed ? [] : [`Check that the server publishes the folder ${assets.folder} as ${assets.url}.`]),
  ];
}

const noVitePage =
  "The project has no HTML page, to which the plugin adds the script. Import 'webmcp-forms/auto' in its first script.";

/** The first suggested or existing tool. The schemas of components and templates are unknown before they are rendered. */
function firstSuggestion(plans: readonly FilePlan[]): FirstTool | undefined {
  return plans.flatMap(({ file, chosen }): readonly FirstTool[] => [
    ...chosen.map(({ name, autosubmit }) => ({ name, isForUser: !autosubmit })),
    ...file.tools.map(({ name }) => ({ name, isForUser: false })),
  ])[0];
}
