import { foldedView } from './folded-view.js';
import { SecretFinder, type SecretPattern, type Span } from './secret-finder.js';
import { minSecretLength, type SecretText } from './sent-secrets.js';
import { decodedView, ungroupedView, viewOf } from './text-view.js';

const mark = '[hidden]';
const minGroupedDigits = 12;

/** Replaces secrets in texts, also in the encodings of URLs, HTML and JSON, in time proportional to the text. */
export class SecretSearch {
  readonly #finder: SecretFinder;
  readonly #digitFinder: SecretFinder | undefined;
  readonly #numbers: ReadonlySet<number>;
  readonly #minLength: number;

  constructor(secrets: readonly SecretText[]) {
    const digits = secrets.map(({ text }) => text.replace(/[ -]/g, '')).filter((text) => /^\d{4,}$/.test(text));
    const patterns = [...secrets, ...digits.map((text) => ({ text }))].flatMap(patternsOf);
    const grouped = digits.filter(({ length }) => length >= minGroupedDigits);
    this.#finder = new SecretFinder(patterns);
    this.#digitFinder =
      grouped.length > 0 ? new SecretFinder(grouped.flatMap((text) => patternsOf({ text }))) : undefined;
    this.#numbers = new Set(
      secrets
        .map(({ text }) => text)
        .filter(isNumeric)
        .concat(digits)
        .map(Number),
    );
    this.#minLength = Math.min(...patterns.map(({ view }) => view.length));
  }

  hideIn(text: string): string {
    if (text.length < this.#minLength) return text;
    const plain = viewOf(text);
    const isEncoded = /[%&\\]/.test(text);
    const views = [foldedView(plain), ...(isEncoded ? [foldedView(decodedView(plain))] : [])];
    const found = views.map((view) => this.#finder.find(view));
    const digits = this.#digitFinder;
    if (digits) found.push(...views.map((view) => digits.find(ungroupedView(view))));
    return withMarks(text, found);
  }

  isSecretNumber(value: number): boolean {
    return this.#numbers.has(value) && String(value).length >= minSecretLength;
  }
}

const isNumeric = (text: string): boolean => /^\d+(?:\.\d+)?$/.test(text);

/** A secret as it is and decoded, because it can contain an escape itself; with and without white space around it. */
function patternsOf({ text, length }: SecretText): readonly SecretPattern[] {
  const rest = length === undefined ? 0 : length - text.length;
  const plain = viewOf(text);
  const inner = viewOf(text.trim().replace(/\\+$/, '')); // a backslash belongs to the next character
  const views = [plain, decodedView(plain), viewOf(text.trim()), decodedView(inner)].map(foldedView);
  const distinct = new Map(views.map((view) => [view.codes.subarray(0, view.length).join(), view]));
  return [...distinct.values()]
    .filter((view) => view.length >= minSecretLength)
    .map((view) => ({ view, length: view.length + rest }));
}

/** Replaces the parts of a text. Overlapping parts become one mark. */
function withMarks(text: string, found: readonly (readonly Span[])[]): string {
  const spans = found.flat();
  if (spans.length === 0) return text;
  if (found.filter((each) => each.length > 0).length > 1) spans.sort((one, other) => one.start - other.start);
  const shown: string[] = [];
  let shownEnd = 0;
  for (const { start, end } of spans) {
    if (start >= shownEnd) shown.push(text.slice(shownEnd, start), mark);
    shownEnd = Math.max(shownEnd, end);
  }
  shown.push(text.slice(shownEnd));
  return shown.join('');
}
