import { readFile } from 'node:fs/promises';
import { posix, relative } from 'node:path';
import { hashOf } from '../annotate/files/annotate-files.js';
import type { FilePlan } from '../annotate/report/choose-forms.js';
import { applyInsertions, type Insertion } from '../annotate/tags/insertion.js';
import { loadKind, type FileKind } from '../annotate/templates/file-kinds.js';
import type { MaskedText } from '../annotate/templates/masked-text.js';
import { TemplateError } from '../annotate/templates/template-error.js';
import { decodePage } from '../site/pages/charset.js';
import { changePage } from '../site/pages/encode-page.js';
import { throwReadError } from '../site/pages/read-text.js';
import { countOf } from '../site/printable.js';
import { changedProblem, encodingProblem } from '../site/rewrite-file.js';
import { UsageError } from '../site/usage-error.js';
import type { PlannedChange } from './plan-init.js';
import { findHead, hasPageScript, importsPageScript, insertScript, type ScriptAttributes } from './script-tag.js';

/** The script tag of a site's pages. */
export interface PageScriptTag {
  /** Relative to the folder of the project, with slashes. */
  readonly file: string;
  /** The URL, if pages do not refer to it by a relative one. */
  readonly url: string;
  readonly isRelative: boolean;
  readonly hashes: Omit<ScriptAttributes, 'src'>;
  /** The hashes of another release in the pages, and those that take their place. */
  readonly replaced: ReadonlyMap<string, string>;
}

interface PageContext {
  readonly root: string;
  /** Undefined if a bundler adds the script. */
  readonly script: PageScriptTag | undefined;
  /** Whether layouts get the script, which have no form. */
  readonly withLayouts: boolean;
}

export interface PlannedPage {
  readonly change: PlannedChange | undefined;
  /** The text with the change; undefined without one. */
  readonly text: string | undefined;
  /** Whether it loads the script. */
  readonly hasScript: boolean;
  /** The reason why it does not get the script. */
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

function maskedText(kind: FileKind, text: string): MaskedText | undefined {
  if (kind.isComponent) return undefined;
  try {
    return kind.mask(text);
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

/** Mail programs do not run scripts. */
const isMail = (path: string): boolean => /(?:^|[/_.-])(?:e?mails?|mailers?|newsletters?)(?:[/_.-]|$)/i.test(path);

const relativeUrl = (page: string, script: string): string =>
  posix.relative(posix.dirname(page), script).split('/').map(encodeURIComponent).join('/');

const withHashes = (text: string, script: PageScriptTag | undefined): string =>
  [...(script?.replaced ?? [])].reduce((result, [old, now]) => result.replaceAll(old, now), text);

export const slashes = (path: string): string => path.replaceAll('\\', '/');
