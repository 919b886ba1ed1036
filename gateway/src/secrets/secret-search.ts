import { foldedView } from './folded-view.js';
import { SecretFinder, type SecretPattern, type Span } from './secret-finder.js';
import { minSecretLength, type SecretText } from './sent-secrets.js';
import { decodedView, unbrokenView, ungroupedView, unspacedView, viewOf, type TextView } from './text-view.js';

const mark = '[hidden]';
const minGroupedDigits = 12;

/** Shorter secrets would also match the words of a text without its spaces. */
const minBrokenLength = 8;

/** Finds secrets in another reading of the folded text. */
interface Reading {
  readonly finder: SecretFinder;
  readonly view: (folded: TextView) => TextView;
}

/** Replaces secrets in texts, also in the encodings of URLs, HTML and JSON, in time proportional to the text. */
export class SecretSearch {
  readonly #finder: SecretFinder;
  readonly #readings: readonly Reading[];
  readonly #numbers: ReadonlySet<number>;
  readonly #minLength: number;

  constructor(secrets: readonly SecretText[]) {
    const digits = secrets.map(({ text }) => text.replace(/[ -]/g, '')).filter((text) => /^\d{4,}$/.test(text));
    const patterns = [...secrets, ...digits.map((text) => ({ text }))].flatMap(patternsOf);
    const grouped = digits.filter(({ length }) => length >= minGroupedDigits);
    this.#finder = new SecretFinder(patterns);
    const groupedPatterns = grouped.flatMap((text) => patternsOf({ text }));
    this.#readings = [
      ...readingOf(ungroupedView, groupedPatterns),
      ...readingOf(unbrokenView, secrets.flatMap(brokenPatternsOf)),
    ];
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
    for (const { finder, view } of this.#readings) found.push(...views.map((each) => finder.find(view(each))));
    return withMarks(text, found);
  }

  isSecretNumber(value: number): boolean {
    return this.#numbers.has(value) && String(value).length >= minSecretLength;
  }
}

const readingOf = (view: Reading['view'], patterns: readonly SecretPattern[]): readonly Reading[] =>
  patterns.length > 0 ? [{ view, finder: new SecretFinder(patterns) }] : [];

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

/** An encoded secret without its plus signs, which are folded to spaces. */
const brokenPatternsOf = (secret: SecretText): readonly SecretPattern[] =>
  (secret.isEncoded ? patternsOf(secret) : [])
    .map(({ view }) => unspacedView(view))
    .filter(({ length }) => length >= minBrokenLength)
    .map((view) => ({ view, length: view.length }));

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
