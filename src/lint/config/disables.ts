import type { DefaultTreeAdapterTypes } from 'parse5';
import { descendants } from '../../compiler/tree.js';
import type { Parse5Node, Parse5Page } from '../../parse5/parse5-tree.js';
import type { Finding, Place } from '../finding.js';
import { nearest } from './nearest.js';
import { placeOfRange } from '../page/place.js';
import { isRuleCode, ruleCodes, type RuleCode } from '../rules/rules.js';

/** What a comment disables: the findings of a rule, or of every rule, on elements that begin in a part of the page. */
export interface Disable {
  readonly code: RuleCode | 'every rule';
  readonly from: Point;
  /** Absent where it holds to the end of the page. */
  to?: Point;
  /** Where the comment stands. */
  readonly location: Place;
  used: boolean;
}

interface Point {
  readonly line: number;
  readonly column: number;
}

/** A page's comments for us. */
export interface Directives {
  readonly disables: readonly Disable[];
  /** What is wrong with the comments themselves. */
  readonly mistakes: readonly Mistake[];
}

export interface Mistake {
  readonly message: string;
  readonly location: Place;
}

const none: Directives = { disables: [], mistakes: [] };

/** Whether a page's text may have such comments. */
export const mayHoldDirectives = (html: string): boolean => /<!--\s{0,100}webmcp-forms-/.test(html);

/** Reads the comments; text in scripts and the like is none, and those in templates count. */
export function readDirectives(html: string, page: Parse5Page): Directives {
  if (!mayHoldDirectives(html)) return none;
  const reading: Reading = { disables: [], mistakes: [], open: new Map() };
  for (const comment of commentsOf(page)) readComment(reading, comment);
  return reading;
}

interface Reading {
  readonly disables: Disable[];
  readonly mistakes: Mistake[];
  /** The disables that no comment has ended. */
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

const words = ['disable-next-line', 'disable', 'enable'] as const;
type Word = (typeof words)[number];
const isWord = (text: string): text is Word => words.some((word) => word === text);

function readComment(reading: Reading, { data, sourceCodeLocation: at }: DefaultTreeAdapterTypes.CommentNode): void {
  const said = /^\s*webmcp-forms-(\S*)/.exec(data);
  if (!said || !at) return;
  const word = said[1] ?? '';
  const location = placeOfRange(at);
  if (isWord(word)) readCodes(reading, word, data.slice(said[0].length), location);
  else reading.mistakes.push({ message: unknownWord(word), location });
}

const unknownWord = (word: string): string =>
  `The comment webmcp-forms-${word} is none: did you mean webmcp-forms-${nearest(word, words) ?? 'disable-next-line'}?`;

function readCodes(reading: Reading, word: Word, rest: string, location: Place): void {
  const [list = ''] = rest.split(/(?:^|\s)--(?:\s|$)/, 1);
  const codes = [...new Set(list.split(/[\s,]+/).filter(Boolean))];
  for (const code of codes.length > 0 ? codes : ['every rule' as const]) {
    if (code === 'every rule' || isRuleCode(code)) take(reading, word, code, location);
    else reading.mistakes.push({ message: unknownRule(code), location });
  }
}

const unknownRule = (code: string): string => {
  const near = nearest(code, ruleCodes);
  return `The comment names the rule ${code.slice(0, 60)}, which is none: ${near ? `did you mean ${near}?` : 'take it away.'}`;
};

function take({ disables, open }: Reading, word: Word, code: Disable['code'], location: Place): void {
  const end = { line: location.endLine ?? location.line, column: location.endColumn ?? location.column };
  if (word === 'enable') return close(open, code, location);
  if (word === 'disable') {
    const disable: Disable = { code, from: end, location, used: false };
    const same = open.get(code);
    if (same) same.push(disable);
    else open.set(code, [disable]);
    disables.push(disable);
  } else {
    const from = { line: end.line + 1, column: 0 };
    disables.push({ code, from, to: { line: end.line + 2, column: 0 }, location, used: false });
  }
}

/** An enable without a rule ends every disable; one of a rule ends those of the rule. */
function close(open: Map<string, Disable[]>, code: Disable['code'], { line, column }: Place): void {
  for (const key of code === 'every rule' ? [...open.keys()] : [code]) {
    for (const disable of open.get(key) ?? []) disable.to = { line, column };
    open.delete(key);
  }
}

/** A finding with the place of the start tag that it is on. */
export interface Tagged {
  readonly finding: Finding;
  readonly tag: Point | undefined;
}

/** The findings that no comment disables; the comments that disable one are marked. */
export function withoutDisabled(found: readonly Tagged[], disables: readonly Disable[]): readonly Finding[] {
  if (disables.length === 0) return found.map(({ finding }) => finding);
  const byCode = new Map<string, Disable[]>();
  for (const disable of disables) {
    const same = byCode.get(disable.code);
    if (same) same.push(disable);
    else byCode.set(disable.code, [disable]);
  }
  const every = byCode.get('every rule') ?? [];
  return found
    .filter((each) => {
      const isDisabled = [byCode.get(each.finding.code) ?? [], every].map((some) => areUsed(some, each)).includes(true);
      return !isDisabled;
    })
    .map(({ finding }) => finding);
}

/** Every comment that disables a finding is of use, and not the first alone. */
function areUsed(disables: readonly Disable[], { finding, tag }: Tagged): boolean {
  let isUsed = false;
  for (const disable of disables) {
    if (!holds(disable, tag) && !holds(disable, finding.location)) continue;
    disable.used = true;
    isUsed = true;
  }
  return isUsed;
}

const holds = ({ from, to }: Disable, at: Point | undefined): boolean =>
  at !== undefined && !isBefore(at, from) && (to === undefined || isBefore(at, to));

const isBefore = (one: Point, other: Point): boolean =>
  one.line < other.line || (one.line === other.line && one.column < other.column);
