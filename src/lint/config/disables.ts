import type { DefaultTreeAdapterTypes } from 'parse5';
import { groupBy } from '../../compiler/group-by.js';
import { descendants } from '../../compiler/tree.js';
import type { Parse5Node, Parse5Page } from '../../parse5/parse5-tree.js';
import { nearest } from '../edit-distance.js';
import type { Finding } from '../finding.js';
import { placeOfRange, type Place } from '../page/place.js';
import { isRuleCode, unknownRule, type RuleCode } from '../rules/rules.js';

/** A range of a page in which a comment disables a rule or every rule. */
export interface Disable {
  readonly code: RuleCode | 'every rule';
  readonly from: Point;
  /** Absent if the range ends with the page. */
  to?: Point;
  /** The place of the comment. */
  readonly location: Place;
  used: boolean;
}

type Point = Pick<Place, 'line' | 'column'>;

/** The comments of a page that enable and disable rules. */
export interface Directives {
  readonly disables: readonly Disable[];
  /** The errors in the comments. */
  readonly mistakes: readonly Mistake[];
}

export interface Mistake {
  readonly message: string;
  readonly location: Place;
}

/** Reads the directives, including those in templates. */
export function readDirectives(html: string, page: Parse5Page): Directives {
  const reader: DirectiveReader = { disables: [], mistakes: [], open: new Map() };
  if (html.includes('webmcp-forms-')) for (const comment of commentsOf(page)) readComment(reader, comment);
  return reader;
}

interface DirectiveReader {
  readonly disables: Disable[];
  readonly mistakes: Mistake[];
  /** The disables that no comment has ended, by their codes. */
  readonly open: Map<string, Disable[]>;
}

function* commentsOf({ document, tree }: Parse5Page): Generator<DefaultTreeAdapterTypes.CommentNode> {
  const roots: Parse5Node[] = [document];
  for (let root = roots.pop(); root; root = roots.pop()) {
    for (const node of descendants(tree, root)) {
      if (node.nodeName === '#comment') yield node as DefaultTreeAdapterTypes.CommentNode;
      else if (node.nodeName === 'template') roots.push((node as DefaultTreeAdapterTypes.Template).content);
    }
  }
}

const directives = ['disable-next-line', 'disable', 'enable'] as const;
type Directive = (typeof directives)[number];
const isDirective = (name: string): name is Directive => directives.some((directive) => directive === name);

function readComment(reader: DirectiveReader, comment: DefaultTreeAdapterTypes.CommentNode): void {
  const match = /^\s*webmcp-forms-(\S*)/.exec(comment.data);
  if (!match || !comment.sourceCodeLocation) return;
  const [prefix, name = ''] = match;
  const location = placeOfRange(comment.sourceCodeLocation);
  if (!isDirective(name)) {
    const near = nearest(name, directives) ?? 'disable-next-line';
    const message = `The directive webmcp-forms-${name} does not exist. Did you mean webmcp-forms-${near}?`;
    reader.mistakes.push({ message, location });
    return;
  }
  const [list = ''] = comment.data.slice(prefix.length).split(/(?:^|\s)--(?:\s|$)/, 1);
  const codes = [...new Set(list.split(/[\s,]+/).filter(Boolean))];
  for (const code of codes.length > 0 ? codes : ['every rule' as const]) {
    if (code === 'every rule' || isRuleCode(code)) apply(reader, name, code, location);
    else reader.mistakes.push({ message: unknownRule(code), location });
  }
}

function apply({ disables, open }: DirectiveReader, directive: Directive, code: Disable['code'], at: Place): void {
  if (directive === 'enable') {
    close(open, code, at);
    return;
  }
  const end = { line: at.endLine ?? at.line, column: at.endColumn ?? at.column };
  if (directive === 'disable-next-line') {
    const [from, to] = [1, 2].map((lines) => ({ line: end.line + lines, column: 0 })) as [Point, Point];
    disables.push({ code, from, to, location: at, used: false });
  } else {
    const disable: Disable = { code, from: end, location: at, used: false };
    disables.push(disable);
    const same = open.get(code);
    if (same) same.push(disable);
    else open.set(code, [disable]);
  }
}

/** Ends the disables of a rule, or every disable. */
function close(open: Map<string, Disable[]>, code: Disable['code'], { line, column }: Place): void {
  for (const key of code === 'every rule' ? [...open.keys()] : [code]) {
    for (const disable of open.get(key) ?? []) disable.to = { line, column };
    open.delete(key);
  }
}

/** A finding with the place of the start tag that it is about. */
export interface TaggedFinding {
  readonly finding: Finding;
  readonly startTag: Place | undefined;
}

/** The findings that no comment disables. Marks the comments that disable a finding as used. */
export function withoutDisabled(found: readonly TaggedFinding[], disables: readonly Disable[]): readonly Finding[] {
  const byCode = groupBy(disables, ({ code }) => code);
  return found.filter((tagged) => !isDisabled(tagged, byCode)).map(({ finding }) => finding);
}

function isDisabled(
  { finding, startTag }: TaggedFinding,
  byCode: ReadonlyMap<Disable['code'], readonly Disable[]>,
): boolean {
  let isFound = false;
  for (const disables of [byCode.get(finding.code) ?? [], byCode.get('every rule') ?? []]) {
    for (const disable of disables) {
      if (!contains(disable, startTag) && !contains(disable, finding.location)) continue;
      disable.used = true;
      isFound = true;
    }
  }
  return isFound;
}

const contains = ({ from, to }: Disable, at: Point | undefined): boolean =>
  at !== undefined && !isBefore(at, from) && (to === undefined || isBefore(at, to));

const isBefore = (one: Point, other: Point): boolean =>
  one.line < other.line || (one.line === other.line && one.column < other.column);
