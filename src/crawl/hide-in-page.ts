import { escapeAttribute } from '../compiler/html/text.js';
import { isUnread, lineBreaking } from '../compiler/html/tree-reader.js';
import { descendants } from '../compiler/tree.js';
import { withMarks, type Span } from '../headless/secrets/secret-search.js';
import {
  PageLimitError,
  parseWithinLimits,
  type Parse5Element,
  type Parse5Node,
  type Parse5Page,
} from '../parse5/parse5-tree.js';
import { RequestError } from './problem.js';
import type { RunSecrets } from './secrets.js';

/**
 * Replaces the secrets of a run in the source of a page, in its decoded attributes, and in its text, even if elements or
 * comments interrupt a secret.
 *
 * @throws {RequestError} if a secret remains
 */
export function hideInPage(source: string, secrets: RunSecrets): string {
  if (secrets.isEmpty) return source;
  const html = withMarks(source, secrets.spansIn(source));
  const found = new Map<Piece, Span[]>();
  for (const reading of readingsOf(html, true)) addSpans(found, reading, secrets.spansIn(textOf(reading)));
  if (found.size === 0) return html;
  const edited = withEdits(html, found);
  if (!hasSecret(edited, secrets)) return edited;
  throw new RequestError('invalid', 'it contains the value of a cookie, a header or the login, which cannot be hidden');
}

const hasSecret = (html: string, secrets: RunSecrets): boolean =>
  readingsOf(html, false).some((reading) => secrets.spansIn(textOf(reading)).length > 0);

/** The data of a text node or the value of an attribute. */
interface Piece {
  readonly text: string;
  /** The name of the attribute with its equals sign. */
  readonly start: string;
  /** The range in the source, if the locations are read. */
  readonly range: { readonly startOffset: number; readonly endOffset: number } | undefined;
}

type Reading = readonly (Piece | string)[];

const textOf = (reading: Reading): string =>
  reading.map((each) => (typeof each === 'string' ? each : each.text)).join('');

/** The attributes, the whole text and the visible text of a page; empty for a page beyond the limits of the parser. */
function readingsOf(html: string, locations: boolean): readonly Reading[] {
  const page = parseWithinLimits(html, locations);
  return page instanceof PageLimitError ? [] : new PageReader().read(page);
}

class PageReader {
  readonly #attributes: (Piece | string)[] = [];
  readonly #texts = new Map<Parse5Node, Piece>();

  read({ tree, document }: Parse5Page): readonly Reading[] {
    const texts: (Piece | string)[] = [];
    const visible: (Piece | string)[] = [];
    const roots: Parse5Node[] = [document];
    for (const root of roots) {
      for (const node of descendants(tree, root)) {
        if ('content' in node) roots.push(node.content);
        if (tree.isElement(node)) this.#addAttributes(node);
        else texts.push(...this.#textOf(node));
      }
      const isSkipped = (node: Parse5Node): boolean => tree.isElement(node) && isUnread(tree, node);
      for (const node of descendants(tree, root, isSkipped)) {
        if (!tree.isElement(node)) visible.push(...this.#textOf(node));
        else if (lineBreaking.has(tree.localName(node))) visible.push(' ');
      }
    }
    return [this.#attributes, texts, visible];
  }

  #addAttributes({ attrs, sourceCodeLocation }: Parse5Element): void {
    for (const { name, prefix, value } of attrs) {
      const whole = prefix === undefined || prefix === '' ? name : `${prefix}:${name}`;
      const range = sourceCodeLocation?.attrs?.[whole.toLowerCase()];
      this.#attributes.push({ text: value, start: `${whole}=`, range }, '\n');
    }
  }

  #textOf(node: Parse5Node): readonly Piece[] {
    if (node.nodeName !== '#text' || !('value' in node)) return [];
    const known = this.#texts.get(node);
    const piece = known ?? { text: node.value, start: '', range: node.sourceCodeLocation ?? undefined };
    if (!known) this.#texts.set(node, piece);
    return [piece];
  }
}

function addSpans(found: Map<Piece, Span[]>, reading: Reading, spans: readonly Span[]): void {
  let [at, next] = [0, 0];
  for (const piece of reading) {
    const { length } = typeof piece === 'string' ? piece : piece.text;
    while ((spans[next]?.end ?? Infinity) <= at) next++;
    for (let index = next; (spans[index]?.start ?? Infinity) < at + length; index++) {
      const { start, end } = spans[index] as Span;
      if (typeof piece === 'string' || end <= at) continue;
      const own = found.get(piece) ?? [];
      found.set(piece, own);
      own.push({ start: Math.max(0, start - at), end: Math.min(length, end - at) });
    }
    at += length;
  }
}

/** Replaces only the changed pieces in the source: in serialized markup, controls could belong to other forms. */
function withEdits(html: string, found: ReadonlyMap<Piece, readonly Span[]>): string {
  let [edited, at] = ['', 0];
  const located = [...found].flatMap(([{ text, start, range }, spans]) =>
    range ? [{ ...range, start, text: escapeAttribute(withMarks(text, spans)).replaceAll('<', '&lt;') }] : [],
  );
  for (const { startOffset, endOffset, start, text } of located.sort((a, b) => a.startOffset - b.startOffset)) {
    if (startOffset < at) continue;
    edited += html.slice(at, startOffset) + (start === '' ? text : `${start}"${text}"`);
    at = endOffset;
  }
  return edited + html.slice(at);
}
