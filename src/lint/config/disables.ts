import type { DefaultTreeAdapterTypes } from 'parse5';
import { groupBy } from '../../group-by.js';
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
  /** The comments whose range has not ended, by code. */
  readonly open: Map<Disable['code'], Disable[]>;
  readonly mistakes: Pick<Required<Finding>, 'message' | 'location'>[];
}

/** Reads the directives, including those in templates. */
export function readDirectives(html: string, page: Parse5Page): Directives {
  const directives: Directives = { disables: [], open: new Map(), mistakes: [] };
  if (!html.includes('webmcp-forms-')) return directives;
  for (const comment of commentsOf(page)) {
    readComment(directives, comment);
    if (directives.mistakes.length >= maxMistakes) return withoutOthers(directives);
  }
  return directives;
}

/** The maximum number of reported mistakes in comments. Each is compared with the names of all rules. */
const maxMistakes = 200;

function withoutOthers(directives: Directives): Directives {
  const mistakes = directives.mistakes.slice(0, maxMistakes);
  const [{ location } = { location: { line: 1, column: 1 } }] = directives.mistakes.slice(-1);
  const message = `The page has ${maxMistakes} mistakes in comments. The comments after this one are ignored. Correct them.`;
  return { ...directives, mistakes: [...mistakes, { message, location }] };
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
    const message = `The directive webmcp-forms-${name.slice(0, 60)} does not exist. Did you mean webmcp-forms-${near}?`;
    directives.mistakes.push({ message, location });
    return;
  }
  const [list = ''] = comment.data.slice(prefix.length).split(/(?:^|\s)--(?:\s|$)/, 1);
  const codes = [...new Set(list.split(/[\s,]+/).filter(Boolean))];
  for (const code of codes.length > 0 ? codes : ['every rule' as const]) {
    if (code === 'every rule' || isRuleCode(code)) apply(directives, name, code, location);
    else if (directives.mistakes.push({ message: unknownRule(code), location }) >= maxMistakes) return;
  }
}

function apply(directives: Directives, name: DirectiveName, code: Disable['code'], location: Place): void {
  const end = { line: location.endLine ?? location.line, column: location.endColumn ?? location.column };
  if (name === 'enable') {
    close(directives, code, { line: location.line, column: location.column });
  } else if (name === 'disable') {
    const disable: Disable = { code, from: end, location, used: false };
    directives.disables.push(disable);
    const open = directives.open.get(code);
    if (open) open.push(disable);
    else directives.open.set(code, [disable]);
  } else {
    const [from, to] = [1, 2].map((lines) => ({ line: end.line + lines, column: 0 })) as [Point, Point];
    directives.disables.push({ code, from, to, location, used: false });
  }
}

function close({ open }: Directives, code: Disable['code'], to: Point): void {
  const closed = code === 'every rule' ? [...open.values()].flat() : (open.get(code) ?? []);
  for (const disable of closed) disable.to = to;
  if (code === 'every rule') open.clear();
  else open.delete(code);
}

export interface TaggedFinding {
  readonly finding: Finding;
  readonly startTag: Place | undefined;
}

/** Returns the findings that no comment disables, and marks the comments that disable a finding as used. */
export function withoutDisabled(found: readonly TaggedFinding[], disables: readonly Disable[]): readonly Finding[] {
  const foundByCode = groupBy(found, ({ finding }) => finding.code);
  const disabled = new Set<TaggedFinding>();
  for (const [code, ofCode] of groupBy(disables, (disable) => disable.code))
    markDisabled(code === 'every rule' ? found : (foundByCode.get(code) ?? []), ofCode, disabled);
  return found.filter((tagged) => !disabled.has(tagged)).map(({ finding }) => finding);
}

/** Marks disabled findings and used comments in one pass, in the order of their places. */
function markDisabled(
  found: readonly TaggedFinding[],
  disables: readonly Disable[],
  disabled: Set<TaggedFinding>,
): void {
  const points = found
    .flatMap((tagged) => [tagged.startTag, tagged.finding.location].flatMap((at) => (at ? { tagged, at } : [])))
    .sort((one, other) => comparePoints(one.at, other.at));
  const starting = [...disables].sort((one, other) => comparePoints(one.from, other.from)).reverse();
  let unused: Disable[] = [];
  let furthest: Point = { line: 0, column: 0 };
  for (const { tagged, at } of points) {
    for (let next = starting.at(-1); next && !isBefore(at, next.from); next = starting.at(-1)) {
      starting.pop();
      unused.push(next);
      const end = next.to ?? { line: Infinity, column: 0 };
      if (isBefore(furthest, end)) furthest = end;
    }
    if (!isBefore(at, furthest)) continue;
    disabled.add(tagged);
    for (const disable of unused) if (!disable.to || isBefore(at, disable.to)) disable.used = true;
    unused = [];
  }
}

const comparePoints = (one: Point, other: Point): number => one.line - other.line || one.column - other.column;

const isBefore = (one: Point, other: Point): boolean => comparePoints(one, other) < 0;
