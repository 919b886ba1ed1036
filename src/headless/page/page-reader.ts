import type { AnsweredCall } from '../../compiler/html/page-content.js';
import type { ToolAnswer } from '../../webtool-client/calls.js';
import { offeredForms, type Offer, type OfferOptions, type Offers } from './offered-forms.js';
import { readForm, type FormValues, type PageSearch } from './page-form.js';
import { SubmissionError, submittedAdvice } from '../submission-error.js';
import { hideInData, hideSecrets } from '../secrets/hide-secrets.js';
import type { SentSecrets } from '../secrets/sent-secrets.js';
import { downloadOf, type Download } from '../download.js';
import type { SiteResponse } from '../response.js';
import { unavailable } from './page-status.js';
import { createPageRequest, type PageRequest, type PageTask } from './page-request.js';
import { readResponse, siteText } from '../response.js';
import { displayUrl } from '../secrets/display-url.js';

export interface AnswerTask {
  readonly response: SiteResponse;
  readonly call?: AnsweredCall;
  /** Whether an answer that shows the form again and nothing new is a failure. @default false */
  readonly mayBeReturned?: boolean;
  /** The forms of the answer that the session can submit next. @default none */
  readonly offers?: OfferOptions | undefined;
  readonly sent: SentSecrets;
}

/** The answer to a submission, with the forms that the session can submit next. */
export interface SiteAnswer extends ToolAnswer {
  readonly offers?: Offers;
  /** The file that a browser would save. */
  readonly download?: Download;
}

/**
 * Reads the responses of the site. Tasks and results can be cloned for another thread.
 *
 * @throws {SubmissionError} if the task fails
 * @throws {ReadError} if reading a page exceeds the limits of the thread
 */
export interface PageReader {
  createRequest(task: PageTask, signal: AbortSignal): Promise<PageRequest>;
  readForm(task: PageSearch, signal: AbortSignal): Promise<FormValues>;
  /** Converts the response to a submission to an answer without the secrets of the call. */
  readAnswer(task: AnswerTask, signal: AbortSignal): Promise<SiteAnswer>;
}

/** A page could not be read within the limits of a thread. */
export class ReadError extends Error {
  readonly reason: 'time' | 'memory';

  constructor(reason: 'time' | 'memory', cause: unknown) {
    super(`The page needs too much ${reason} to be read.`, { cause });
    this.reason = reason;
  }
}

export function readAnswer({ response, call, sent, mayBeReturned = false, offers }: AnswerTask): SiteAnswer {
  const { isUnchanged = false, ...read } = readResponse(response, call);
  const answer = hideSecrets(read, sent);
  if (isUnchanged && mayBeReturned) throw formReturned(answer);
  const download = downloadOf(response, sent);
  const file = download && { download };
  return offers
    ? { ...answer, ...file, offers: hideInOffers(offeredForms(response, offers), sent) }
    : { ...answer, ...file };
}

/** Hides secrets in offers, because defaults and options in their schemas are text of the page. */
function hideInOffers({ forms, omitted }: Offers, sent: SentSecrets): Offers {
  const abouts = hideInData(
    forms.map(({ about }) => about),
    sent,
  );
  return { forms: forms.map(({ offered }, index) => ({ offered, about: abouts[index] as Offer['about'] })), omitted };
}

const maxQuotedLength = 500;

function formReturned(answer: ToolAnswer): SubmissionError {
  const text = siteText(answer, maxQuotedLength);
  const message = `The site returned the form again, without a message and without anything new on the page, so it probably did not accept the submission. Check before you send it again: the form may have another step or another submit button.${text && ` The page says: ${JSON.stringify(text)}.`}`;
  return new SubmissionError('form-returned', message, { url: displayUrl(answer.url, { query: false }) });
}

/** Creates a reader in this thread, on any platform. `run` can limit the time of the work. */
export const createInlineReader = (run: <Result>(work: () => Result) => Result): PageReader => ({
  createRequest: (task) => settle(() => run(() => createPageRequest(task))),
  readForm: (task) => settle(() => run(() => readForm(task))),
  readAnswer: (task) => settle(() => run(() => readAnswer(task))),
});

/** Reads in this thread without a time limit. */
export const inlineReader = createInlineReader((work) => work());

/** Converts a thrown error to a rejection. */
const settle = <Result>(work: () => Result): Promise<Result> =>
  new Promise((resolve) => {
    resolve(work());
  });

const problems: Readonly<Record<ReadError['reason'], string>> = {
  time: 'took too long to read',
  memory: 'needs more memory to be read than a thread has',
};

export const unreadablePage = (
  { reason }: ReadError,
  { pageUrl, response }: Pick<PageTask, 'pageUrl' | 'response'>,
  signal: AbortSignal,
): SubmissionError => callerAbort(signal) ?? unavailable({ pageUrl, url: response.url }, `${problems[reason]}.`);

export function unreadableAnswer(error: ReadError, signal: AbortSignal): SubmissionError {
  const code = error.reason === 'time' ? 'upstream-timeout' : 'upstream-too-large';
  const message = `The response of the site ${problems[error.reason]}. ${submittedAdvice}`;
  return callerAbort(signal) ?? new SubmissionError(code, message, { cause: error });
}

function callerAbort({ reason }: { readonly reason?: unknown }): SubmissionError | undefined {
  return reason instanceof SubmissionError && reason.code === 'aborted' ? reason : undefined;
}
