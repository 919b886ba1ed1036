import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes } from 'parse5';
import type { HtmlTagDescriptor } from 'vite';
import type { Parse5Element } from '../../parse5/parse5-tree.js';

/** A `<script>` that is to be put into a page. */
export interface ScriptTag {
  readonly attrs: Readonly<Record<string, string>>;
  readonly children: string;
}

interface Transformed {
  readonly html: string;
  readonly tags: HtmlTagDescriptor[];
}

/**
 * Puts a classic script before all others, modules and `async` ones too, but behind the page's charset, which has to stand
 * in the first 1,024 bytes. Where another script stands before the charset, a charset comes first.
 */
export function withFirstScript(html: string, tag: ScriptTag, tags: readonly HtmlTagDescriptor[]): Transformed {
  const head = headElements(html);
  const charset = head.findIndex(saysCharset);
  const script = head.findIndex(runsAtOnce);
  const end = head[charset]?.sourceCodeLocation?.endOffset;
  if (end !== undefined && (script < 0 || charset < script)) {
    return { html: `${html.slice(0, end)}\n${textOf(tag)}${html.slice(end)}`, tags: [...tags] };
  }
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

const attribute = ({ attrs }: Parse5Element, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value;

const saysCharset = (element: Parse5Element): boolean =>
  element.tagName === 'meta' &&
  (attribute(element, 'charset') !== undefined || attribute(element, 'http-equiv')?.toLowerCase() === 'content-type');

/** A module waits until the page is parsed, unless it is `async`. */
const runsAtOnce = (element: Parse5Element): boolean =>
  element.tagName === 'script' &&
  (attribute(element, 'type')?.toLowerCase() !== 'module' || attribute(element, 'async') !== undefined);

const textOf = ({ attrs, children }: ScriptTag): string =>
  `<script${Object.entries(attrs)
    .map(([name, value]) => ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`)
    .join('')}>${children}</script>`;
