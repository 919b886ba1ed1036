import { applyInsertions, type Insertion } from '../annotate/tags/insertion.js';
import { scanTags, type Tag } from '../annotate/tags/scan-tags.js';
import { mask, type MaskedText } from '../annotate/templates/masked-text.js';
import { escapeAttribute } from '../compiler/html/text.js';
import { descendants } from '../compiler/tree.js';
import { isPageScript } from '../lint/page/served-profile.js';
import { PageLimitError } from '../parse5/parse5-tree.js';
import { parseWithinLimits } from '../site/compile-html.js';

/** The place for a script in a whole page or in a layout template. */
export interface DocumentHead {
  /** The offset of the script tag. */
  readonly at: number;
  readonly hasBase: boolean;
}

/** Whether a component or a script imports the script of this package. */
export const importsPageScript = (text: string): boolean => /webmcp-forms\/auto\b/.test(text);

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
 * Finds the place before other scripts and after the charset, which has to be in the first 1,024 bytes.
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
export type ScriptAttributes = Readonly<Record<'src' | 'integrity' | 'data-integrity', string>>;

/**
 * Places the script tag on a line of its own, if the next tag has one.
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
