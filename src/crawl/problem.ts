import { groupBy } from '../group-by.js';
import { UsageError } from '../site/usage-error.js';
import { truncate } from '../visible-text.js';

export type ProblemKind =
  | 'status'
  | 'login'
  | 'duplicate'
  | 'redirect'
  | 'type'
  | 'robots'
  | 'action'
  | 'limit'
  | 'invalid'
  | 'unavailable'
  | 'unreachable';

/** A page that was not read, or that is another page. */
export interface PageProblem {
  readonly kind: ProblemKind;
  readonly url: string;
  /** The end of a sentence that begins with the URL, such as `the status is 404`, without a period. */
  readonly reason: string;
  /** A sentence in the imperative. */
  readonly advice?: string;
  /** The path of the page, if the user has named its URL. */
  readonly namedPath?: string;
}

/** Kinds whose pages may be readable the next time, so that a manifest without them is incomplete. */
const incomplete: ReadonlySet<ProblemKind> = new Set(['unavailable', 'unreachable', 'limit']);

export const isIncomplete = ({ kind }: PageProblem): boolean => incomplete.has(kind);

/** A failure of a request. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly kind: ProblemKind;
  readonly advice: string | undefined;

  constructor(kind: ProblemKind, reason: string, advice?: string, options?: ErrorOptions) {
    super(reason, options);
    this.kind = kind;
    this.advice = advice;
  }
}

/** Advice after a login that failed. */
export const useBrowser = 'Log in with a browser, and use --cookie.';

export const problemOf = (url: string, { kind, message, advice }: RequestError): PageProblem => ({
  kind,
  url,
  reason: message,
  ...(advice !== undefined && { advice }),
});

/** The problem as sentences, without the URL. */
export const sentencesOf = ({ reason, advice }: Pick<PageProblem, 'reason' | 'advice'>): string =>
  advice === undefined ? `${reason}.` : `${reason}. ${advice}`;

const maxUrlLength = 300;

/** The beginning of a URL, for messages. */
export const urlStart = (url: string): string => truncate(url, maxUrlLength);

/** The error of a URL that had to be read. */
export const readError = (url: string, problem: Pick<PageProblem, 'reason' | 'advice'>, cause?: Error): UsageError =>
  new UsageError(`Cannot read ${urlStart(url)}: ${sentencesOf(problem)}`, cause && { cause });

const maxLinesPerKind = 10;

/** One line for each problem, and one for the further problems of a kind. */
export const problemLines = (problems: readonly PageProblem[]): readonly string[] =>
  [...groupBy(problems, ({ kind }) => kind).values()].flatMap((same) => {
    const lines = same.slice(0, maxLinesPerKind).map((each) => `Skipped ${urlStart(each.url)}: ${sentencesOf(each)}`);
    const more = same.length - lines.length;
    return more > 0 ? [...lines, `Skipped ${more} more URLs like the last one.`] : lines;
  });
