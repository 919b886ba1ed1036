import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes } from 'parse5';
import type { HtmlTagDescriptor } from 'vite';
import { escapeAttribute } from '../../compiler/html/text.js';
import { attributeOf } from '../../lint/page/place.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';

export interface ScriptTag {
  readonly attrs: Readonly<Record<string, string>>;
  readonly children: string;
}

interface TransformedHtml {
  readonly html: string;
  readonly tags: HtmlTagDescriptor[];
}

/**
 * Inserts a classic script before all other scripts, but after the page's charset, which must be in the first 1,024 bytes.
 * If another script is before the charset, the charset is repeated before the inserted script.
 */
export function insertFirstScript(html: string, tag: ScriptTag, tags: readonly HtmlTagDescriptor[]): TransformedHtml {
  const head = headElements(html);
  const charset = head.findIndex(isCharset);
  const script = head.findIndex(isScript);
  const end = head[charset]?.sourceCodeLocation?.endOffset;
  if (end !== undefined && (script < 0 || charset < script))
    return { html: `${html.slice(0, end)}\n${serialize(tag)}${html.slice(end)}`, tags: [...tags] };
  const prepended = { tag: 'script', ...tag, injectTo: 'head-prepend' } as const;
  const repeated = { tag: 'meta', attrs: { charset: 'utf-8' }, injectTo: 'head-prepend' } as const;
  return { html, tags: [...tags, ...(end === undefined ? [] : [repeated]), prepended] };
}

function headElements(html: string): readonly Parse5Element[] {
  const page = elementsIn(parse(html, { sourceCodeLocationInfo: true })).find(({ tagName }) => tagName === 'html');
  const head = page && elementsIn(page).find(({ tagName }) => tagName === 'head');
  return head ? elementsIn(head) : [];
}

const elementsIn = ({ childNodes }: DefaultTreeAdapterTypes.ParentNode): readonly Parse5Element[] =>
  childNodes.filter((node) => defaultTreeAdapter.isElementNode(node));

const isCharset = (element: Parse5Element): boolean =>
  element.tagName === 'meta' &&
  (attributeOf(element, 'charset') !== undefined ||
    attributeOf(element, 'http-equiv')?.toLowerCase() === 'content-type');

/** Modules are deferred, unless they are `async`. */
const isScript = (element: Parse5Element): boolean =>
  element.tagName === 'script' &&
  (attributeOf(element, 'type')?.toLowerCase() !== 'module' || attributeOf(element, 'async') !== undefined);

const serialize = ({ attrs, children }: ScriptTag): string =>
  `<script${Object.entries(attrs)
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join('')}>${children}</script>`;
