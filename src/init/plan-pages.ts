import { readFile } from 'node:fs/promises';
import { posix, relative } from 'node:path';
import { hashOf } from '../annotate/files/annotate-files.js';
import type { FilePlan } from '../annotate/report/choose-forms.js';
import { applyInsertions, type Insertion } from '../annotate/tags/insertion.js';
import { scanTags, type Tag } from '../annotate/tags/scan-tags.js';
import { loadKind, type FileKind } from '../annotate/templates/file-kinds.js';
import { ifParsed, mask, type MaskedText } from '../annotate/templates/masked-text.js';
import { escapeAttribute } from '../compiler/html/text.js';
import { descendants } from '../compiler/tree.js';
import { isPageScript } from '../lint/page/served-profile.js';
import { PageLimitError, parseWithinLimits } from '../parse5/parse5-tree.js';
import { decodePage } from '../site/pages/charset.js';
import { changePage } from '../site/pages/page-encoding.js';
import { throwReadError } from '../site/pages/read-text.js';
import { countOf } from '../site/printable.js';
import { changedProblem, encodingProblem } from '../site/rewrite-file.js';
import { UsageError } from '../site/usage-error.js';
import type { PlannedChange } from './plan-init.js';

/** The script tag of a site's pages. */
export interface PageScriptTag {
  /** The path relative to the folder of the project, with slashes. */
  readonly file: string;
  /** The URL, which pages use unless `isRelative` is set. */
  readonly url: string;
  readonly isRelative: boolean;
  readonly hashes: Omit<ScriptAttributes, 'src'>;
  /** The hashes of another release in the pages, with their replacements. */
  readonly replaced: ReadonlyMap<string, string>;
}

interface PageContext {
  readonly root: string;
  /** The script; undefined if a bundler adds it. */
  readonly script: PageScriptTag | undefined;
  /** Whether the script is added to layouts, which have no form. */
  readonly withLayouts: boolean;
}

export interface PlannedPage {
  readonly change: PlannedChange | undefined;
  /** The text with the change; undefined without one. */
  readonly text: string | undefined;
  /** Whether the page loads the script. */
  readonly hasScript: boolean;
  /** The reason why the script is not added to the page. */
  readonly problem?: string;
}

/** Plans the annotations and the script of a page or template. */
export async function planPage(plan: FilePlan, context: PageContext): Promise<PlannedPage> {
  const { input, hash } = plan.file;
  const at = input.at ?? '';
  const before = await readFile(at).catch((cause: unknown) => throwReadError(input.file, cause));
  if (hashOf(before) !== hash) throw new UsageError(`Cannot write ${input.file}: ${changedProblem}`);
  const { text } = decodePage(before);
  const insertions = plan.chosen.flatMap((form) => form.insertions);
  const masked = maskedText(await loadKind(input.file), text);
  const hadScript = masked ? hasPageScript(masked) : importsPageScript(text);
  const tag = masked && !hadScript ? scriptFor(plan, masked, context) : undefined;
  const inserted = tag && 'insertion' in tag ? tag.insertion : undefined;
  const problem = tag && 'problem' in tag ? { problem: tag.problem } : {};
  const changed = withHashes(applyInsertions(text, [...insertions, ...(inserted ? [inserted] : [])]), context.script);
  const outcome = { text: undefined, hasScript: hadScript || inserted !== undefined, ...problem };
  if (changed === text) return { ...outcome, change: undefined };
  const after = changePage(before, () => changed);
  if (!after) throw new UsageError(`Cannot write ${input.file}: ${encodingProblem}`);
  const parts = [
    ...(plan.chosen.length > 0 ? [`annotations of ${countOf(plan.chosen.length, 'form')}`] : []),
    ...(inserted ? ['script tag'] : []),
  ];
  const file = slashes(relative(context.root, at));
  const purpose = parts.join(', ') || 'integrity of the script';
  return { ...outcome, text: changed, change: { file, before, after: Buffer.from(after), purpose } };
}

type PlannedScript = { readonly insertion: Insertion } | { readonly problem: string };

function scriptFor(
  { file: { input, tools, unsafe }, chosen }: FilePlan,
  masked: MaskedText,
  { root, script, withLayouts }: PageContext,
): PlannedScript | undefined {
  if (!script || isMail(input.path)) return undefined;
  const hasTools = chosen.length + tools.length > 0;
  if (!hasTools && !withLayouts) return undefined;
  const head = findHead(masked);
  if (!head) return undefined;
  if (!hasTools && masked.constructs.length + unsafe.length === 0) return undefined;
  const isRelative = script.isRelative && !head.hasBase;
  const src = isRelative ? relativeUrl(slashes(relative(root, input.at ?? '')), script.file) : script.url;
  const insertion = insertScript(masked, head, { src, ...script.hashes });
  return insertion
    ? { insertion }
    : { problem: 'The script tag cannot be added safely. Add it to the head by hand, as in other pages.' };
}

const maskedText = (kind: FileKind, text: string): MaskedText | undefined =>
  kind.isComponent ? undefined : ifParsed(() => kind.mask(text));

/** Whether a template is for emails. Mail programs do not run scripts. */
const isMail = (path: string): boolean => /(?:^|[/_.-])(?:e?mails?|mailers?|newsletters?)(?:[/_.-]|$)/i.test(path);

const relativeUrl = (page: string, script: string): string =>
  posix.relative(posix.dirname(page), script).split('/').map(encodeURIComponent).join('/');

const withHashes = (text: string, script: PageScriptTag | undefined): string =>
  [...(script?.replaced ?? [])].reduce((result, [old, now]) => result.replaceAll(old, now), text);

export const slashes = (path: string): string => path.replaceAll('\\', '/');

/** The place for a script in a whole page or in a layout template. */
interface DocumentHead {
  /** The offset of the script tag. */
  readonly at: number;
  readonly hasBase: boolean;
}

/** Whether a component or a script imports the script of this package. */
const importsPageScript = (text: string): boolean => /webmcp-forms\/auto\b/.test(text);

/** Whether a page has a script element that loads, contains or imports the script of this package. */
export function hasPageScript({ source, text }: MaskedText): boolean {
  let start = 0;
  for (const { name, isEnd, start: at } of scanTags(text)) {
    if (name.toLowerCase() !== 'script') continue;
    if (!isEnd) start = at;
    else if (isOurs(source.slice(start, at))) return true;
  }
  return false;
}

const isOurs = (script: string): boolean => isPageScript(script) || importsPageScript(script);

/**
 * Finds the place for a script: before other scripts and after the charset, which must be in the first 1,024 bytes.
 *
 * @returns undefined for a source without a doctype, `<html>` and `<head>`, which is a part of a page
 */
export function findHead({ text }: MaskedText): DocumentHead | undefined {
  const doctype = /^[\s\uFDD0]*<!doctype[^>]*>/i.exec(text);
  let at = doctype?.[0].length;
  let [hasScript, hasBase] = [false, false];
  for (const tag of scanTags(text)) {
    const name = tag.name.toLowerCase();
    if ((name === 'head' && tag.isEnd) || name === 'body' || name === 'form') break;
    if (tag.isEnd) continue;
    if (name === 'html' || name === 'head') at = tag.end;
    if (name === 'meta' && at !== undefined && !hasScript && isCharset(text, tag)) at = tag.end;
    hasScript ||= name === 'script';
    hasBase ||= name === 'base';
  }
  return at === undefined ? undefined : { at, hasBase };
}

const isCharset = (text: string, { attributes }: Tag): boolean =>
  attributes.some(({ name, start, end }) =>
    /^http-equiv$/i.test(name) ? /content-type/i.test(text.slice(start, end)) : /^charset$/i.test(name),
  );

/** The attributes of a script tag in the order of writing. */
type ScriptAttributes = Readonly<Record<'src' | 'integrity' | 'data-integrity', string>>;

/**
 * Inserts the script tag, on a separate line if the next tag is on a separate line.
 *
 * @returns undefined if an HTML parser would not read the tag as a script of the page
 */
export function insertScript(
  masked: MaskedText,
  { at }: DocumentHead,
  attributes: ScriptAttributes,
): Insertion | undefined {
  const line = /^[ \t]*(\r?\n[ \t]*)/.exec(masked.source.slice(at, at + 200))?.[1] ?? '';
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  const insertion = { at, text: `${line}<script${written.join('')}></script>` };
  return isRead(masked, insertion, attributes) ? insertion : undefined;
}

function isRead({ text }: MaskedText, insertion: Insertion, attributes: ScriptAttributes): boolean {
  const page = parseWithinLimits(applyInsertions(text, [insertion]).replaceAll(mask, ' '));
  if (page instanceof PageLimitError) return false;
  const { tree, document } = page;
  for (const node of descendants(tree, document))
    if (tree.isElement(node) && tree.localName(node) === 'script')
      if (tree.attribute(node, 'src') === attributes.src) return true;
  return false;
}
