import type { DefaultTreeAdapterTypes } from 'parse5';
import { groupBy } from '../../compiler/group-by.js';
import { descendants } from '../../compiler/tree.js';
import type { Parse5Node, Parse5Page } from '../../parse5/parse5-tree.js';
import { nearest } from '../edit-distance.js';
import type { Finding } from '../finding.js';
import { placeOfRange, type Place } from '../page/place.js';
import { isRuleCode, unknownRule, type RuleCode } from '../rules/rules.js';

/** The range of a page in which a comment disables one rule or all rules. */
export interface Disable {
  readonly code: RuleCode | 'every rule';
  readonly from: Point;
  /** Absent if the range ends with the page. */
  to?: Point;
  readonly location: Place;
  used: boolean;
}

type Point = Pick<Place, 'line' | 'column'>;

export interface Directives {
  readonly disables: Disable[];
  readonly mistakes: Pick<Required<Finding>, 'message' | 'location'>[];
}

/** Reads the directives, including those in templates. */
export function readDirectives(html: string, page: Parse5Page): Directives {
  const directives: Directives = { disables: [], mistakes: [] };
  if (html.includes('webmcp-forms-')) for (const comment of commentsOf(page)) readComment(directives, comment);
  return directives;
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

const names = ['disable-next-line', 'disable', 'enable'] as const;
type DirectiveName = (typeof names)[number];
const isDirectiveName = (text: string): text is DirectiveName => names.some((name) => name === text);

function readComment(directives: Directives, comment: DefaultTreeAdapterTypes.CommentNode): void {
  const match = /^\s*webmcp-forms-(\S*)/.exec(comment.data);
  if (!match || !comment.sourceCodeLocation) return;
  const [prefix, name = ''] = match;
  const location = placeOfRange(comment.sourceCodeLocation);
  if (!isDirectiveName(name)) {
    const near = nearest(name, names) ?? 'disable-next-line';
    const message = `The directive webmcp-forms-${name} does not exist. Did you mean webmcp-forms-${near}?`;
    directives.mistakes.push({ message, location });
    return;
  }
  const [list = ''] = comment.data.slice(prefix.length).split(/(?:^|\s)--(?:\s|$)/, 1);
  const codes = [...new Set(list.split(/[\s,]+/).filter(Boolean))];
  for (const code of codes.length > 0 ? codes : ['every rule' as const]) {
    if (code === 'every rule' || isRuleCode(code)) apply(directives, name, code, location);
    else directives.mistakes.push({ message: unknownRule(code), location });
  }
}

function apply({ disables }: Directives, name: DirectiveName, code: Disable['code'], location: Place): void {
  const end = { line: location.endLine ?? location.line, column: location.endColumn ?? location.column };
  if (name === 'enable') {
    const open = disables.filter((disable) => !disable.to && (code === 'every rule' || disable.code === code));
    for (const disable of open) disable.to = { line: location.line, column: location.column };
  } else if (name === 'disable') {
    disables.push({ code, from: end, location, used: false });
  } else {
    const [from, to] = [1, 2].map((lines) => ({ line: end.line + lines, column: 0 })) as [Point, Point];
    disables.push({ code, from, to, location, used: false });
  }
}

export interface TaggedFinding {
  readonly finding: Finding;
  readonly startTag: Place | undefined;
}

/** Returns the findings that no comment disables, and marks the comments that disable a finding as used. */
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
