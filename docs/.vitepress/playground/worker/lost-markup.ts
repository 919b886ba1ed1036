import { defaultTreeAdapter, Parser, type DefaultTreeAdapterMap, type ParserError, type Token } from 'parse5';
import { attributeOf } from '../../../../src/lint/page/place.js';
import type { Parse5Element, Parse5Node, Parse5Page } from '../../../../src/parse5/parse5-tree.js';
import type { PageFinding } from '../reading.js';

type Tag = Token.TagToken & { readonly isEnd: boolean };

const controlNames: ReadonlySet<string> = new Set(['input', 'select', 'textarea', 'button']);
const controlTag = /<(?:form|input|select|textarea|button)(?=[\s/>])/gi;
const mayContainTag = /<(?:form|input|select|textarea|button)/i;

/** Records the tags of forms and controls, in the order of the source. */
class TagRecorder extends Parser<DefaultTreeAdapterMap> {
  readonly tags: Tag[] = [];
  /** The end of the last tag. */
  end = 0;

  override onStartTag(token: Token.TagToken): void {
    const isLarge = token.attrs.some(({ name, value }) => mayContainTag.test(name) || mayContainTag.test(value));
    if (token.tagName === 'form' || controlNames.has(token.tagName) || isLarge)
      this.tags.push({ ...token, isEnd: false });
    this.end = token.location?.endOffset ?? this.end;
    super.onStartTag(token);
  }

  override onEndTag(token: Token.TagToken): void {
    if (token.tagName === 'form') this.tags.push({ ...token, isEnd: true });
    this.end = token.location?.endOffset ?? this.end;
    super.onEndTag(token);
  }
}

/** The forms and controls of the source that broken markup has taken out of the tree, or out of their form. */
export function lostMarkup(source: string, page: Parse5Page): readonly PageFinding[] {
  const errors: ParserError[] = [];
  const recorder = new TagRecorder({
    treeAdapter: defaultTreeAdapter,
    sourceCodeLocationInfo: true,
    onParseError: (error) => errors.push(error),
  });
  recorder.tokenizer.write(source, true);
  const { tags, end } = recorder;
  return [...lostTags(tags, page), ...swallowingTags(tags, errors), ...swallowingEnd(source, end, errors)];
}

const finding = (message: string, location: Token.Location | null | undefined): PageFinding => ({
  code: 'lost-markup',
  severity: 'error',
  message,
  ...(location && { place: { line: location.startLine, column: location.startCol } }),
});

/** Forms in forms, and controls that are in the tree or in their form only in the source. */
function lostTags(tags: readonly Tag[], page: Parse5Page): readonly PageFinding[] {
  const elements = elementsByStart(page);
  const findings: PageFinding[] = [];
  const lost: Tag[] = [];
  let depth = 0;
  let nested: Tag | undefined;
  for (const tag of tags) {
    const isForm = tag.tagName === 'form';
    const element = elements.get(tag.location?.startOffset ?? -1);
    if (isForm && tag.isEnd) depth = Math.max(0, depth - 1);
    else if (isForm && ++depth > 1 && !element) nested ??= tag;
    else if (controlNames.has(tag.tagName) && depth > 0 && !isInForm(element, page)) lost.push(tag);
  }
  const cause = nested
    ? `a <form> inside a <form> at line ${nested.location?.startLine}`
    : 'the end tag of an element before them ends the form, or an element around them ignores their tags';
  if (nested) findings.push(finding(nestedForm, nested.location));
  if (lost.length > 0)
    findings.push(
      finding(
        `${countOf(lost)} of the source ${lost.length === 1 ? 'is' : 'are'} in no form: ${cause}.`,
        lost[0]?.location,
      ),
    );
  return findings;
}

const nestedForm =
  'The form is inside another form. Browsers ignore its start tag, and its end tag ends the outer form. Close the outer form first.';

/** Content of templates and shadow roots belongs to no form around them. */
function isInForm(element: Found | undefined, { tree }: Parse5Page): boolean {
  if (!element || element === 'template') return element !== undefined;
  return tree.formOwner(element) !== null || attributeOf(element, 'form') !== undefined;
}

/** "2 controls and 1 button". */
function countOf(tags: readonly Tag[]): string {
  const buttons = tags.filter(({ tagName }) => tagName === 'button').length;
  const controls = tags.length - buttons;
  const part = (count: number, noun: string): readonly string[] =>
    count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
  return [...part(controls, 'control'), ...part(buttons, 'button')].join(' and ');
}

/** An element of the tree, or the content of a template. */
type Found = Parse5Element | 'template';

function elementsByStart({ document, tree }: Parse5Page): ReadonlyMap<number, Found> {
  const found = new Map<number, Found>();
  const stack: { readonly node: Parse5Node; readonly isInTemplate: boolean }[] = [
    { node: document, isInTemplate: false },
  ];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, isInTemplate } = next;
    if (tree.isElement(node) && node.sourceCodeLocation)
      found.set(node.sourceCodeLocation.startOffset, isInTemplate ? 'template' : node);
    for (const child of tree.children(node)) stack.push({ node: child, isInTemplate });
    if ('content' in node) stack.push({ node: node.content, isInTemplate: true });
  }
  return found;
}

const quoteErrors: ReadonlySet<string> = new Set([
  'missing-whitespace-between-attributes',
  'unexpected-character-in-attribute-name',
]);

/** The errors and tags that are compared. */
const maxCompared = 500;

/** Tags with an attribute that contains other tags, because a quotation mark is missing. */
function swallowingTags(tags: readonly Tag[], errors: readonly ParserError[]): readonly PageFinding[] {
  const offsets = errors.filter(({ code }) => quoteErrors.has(code)).map(({ startOffset }) => startOffset);
  const counted = tags.map(({ tagName, location, attrs }) => {
    const count = attrs.reduce((sum, { name, value }) => sum + tagsIn(`${name} ${value}`), 0);
    return { tagName, location, count };
  });
  const large = counted.filter(({ count }) => count > 0).slice(0, maxCompared);
  return large.flatMap(({ tagName, location, count }) => {
    const { startOffset = 0, endOffset = 0 } = location ?? {};
    if (!offsets.slice(0, maxCompared).some((at) => at >= startOffset && at < endOffset)) return [];
    const message = `An attribute of <${tagName}> contains ${tagCount(count)} of forms or controls, because a quotation mark is missing. Add it.`;
    return finding(message, location);
  });
}

const ends: Readonly<Record<string, string>> = {
  'eof-in-comment': 'a comment',
  'eof-in-tag': 'a tag',
  'eof-in-element-that-can-contain-only-text': 'an element that contains only text',
  'eof-in-script-html-comment-like-text': 'a script',
};

/** A comment, a tag or a text that is not closed, with the tags after it. */
function swallowingEnd(source: string, from: number, errors: readonly ParserError[]): readonly PageFinding[] {
  const what = errors.map(({ code }) => ends[code]).find((each) => each !== undefined);
  const rest = source.slice(from);
  const count = what === undefined ? 0 : tagsIn(rest);
  if (count === 0) return [];
  const line = source.slice(0, from).split('\n').length;
  const message = `The page ends inside ${what} that begins at line ${line} or later, so ${tagCount(count)} of forms or controls in it ${count === 1 ? 'is' : 'are'} not in the tree. Close it.`;
  return [{ ...finding(message, undefined), place: { line, column: 1 } }];
}

const tagsIn = (text: string): number => text.match(controlTag)?.length ?? 0;

const tagCount = (count: number): string => (count === 1 ? '1 tag' : `${count} tags`);
