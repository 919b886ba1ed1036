import { ProtocolError } from '@modelcontextprotocol/server';
import { startDeadline, toBase64url } from 'webmcp-forms/headless';
import { FairLimit } from '../../../concurrency/capacity.js';
import type { SecretField, SecretValues } from './secret-fields.js';

/** A question for secrets, which a person answers on a page of the gateway. */
export interface SecretQuestion {
  /** The client of the call, if it is known. Only its user may answer. */
  readonly client: string | undefined;
  readonly tool: string;
  readonly place: string;
  readonly lang?: string | undefined;
  readonly dir?: 'ltr' | 'rtl' | undefined;
  /** The other values of the call, one per line. */
  readonly lines: readonly string[];
  readonly fields: readonly SecretField[];
  readonly accepts: (values: SecretValues) => boolean;
  /** Whether the tools are still the tools of the call. */
  readonly isCurrent: () => Promise<boolean>;
}

/** A place for pages, which is released when its question ends. */
export interface PagePlace {
  /** The URL that the paths of pages are relative to. */
  readonly url: URL;
  readonly release: () => void;
}

export interface OpenQuestion extends SecretQuestion {
  readonly url: URL;
  readonly formToken: string;
  /** The cookie of the browser that opened the page first. Other browsers cannot open the page. */
  opener: string | undefined;
  attempts: number;
  answer: SecretValues | 'declined' | undefined;
}

interface Entry {
  readonly question: OpenQuestion;
  readonly ended: Promise<void>;
  /** Resolves `ended`. */
  readonly wake: () => void;
  readonly end: () => void;
}

/** The lifetime of a question and of its answer, in milliseconds. */
const lifetime = 600_000;

const maxOpen = { total: 1000, each: 20 };

const maxAttempts = 20;

export const randomId = (): string => toBase64url(crypto.getRandomValues(new Uint8Array(32)));

/** The questions for secrets. Answers are only in the memory of this process, until a call reads them or they expire. */
export class SecretQuestions {
  readonly #entries = new Map<string, Entry>();
  readonly #shares = new FairLimit(maxOpen);
  readonly #lifetime: number;

  constructor(milliseconds = lifetime) {
    this.#lifetime = milliseconds;
  }

  /**
   * Opens a question. Returns its ID.
   *
   * @throws {ProtocolError} if too many questions are open
   */
  async open(
    question: SecretQuestion,
    rateLimitKey: string | undefined,
    openPlace: () => Promise<PagePlace>,
  ): Promise<string> {
    const release = this.#shares.take(rateLimitKey);
    if (!release) throw new ProtocolError(-32000, 'OVERLOADED: Too many questions are open. Nothing was sent.');
    const place = await openPlace().catch((error: unknown) => {
      release();
      throw error;
    });
    const id = randomId();
    let wake = (): void => undefined;
    const ended = new Promise<void>((resolve) => (wake = resolve));
    const end = (): void => {
      clearTimeout(timer);
      if (!this.#entries.delete(id)) return;
      release();
      place.release();
      wake();
    };
    const timer = setTimeout(end, this.#lifetime);
    (timer as { readonly unref?: () => void }).unref?.();
    const url = new URL(`ask/${id}`, place.url);
    const state = { url, formToken: randomId(), opener: undefined, attempts: 0, answer: undefined };
    this.#entries.set(id, { question: { ...question, ...state }, ended, wake, end });
    return id;
  }

  urlOf(id: string): string | undefined {
    return this.#entries.get(id)?.question.url.href;
  }

  /** The question of a page, unless it has been answered. */
  find(id: string): OpenQuestion | undefined {
    const question = this.#entries.get(id)?.question;
    return question?.answer === undefined ? question : undefined;
  }

  /** Counts an attempt to answer. Ends a question after too many attempts. */
  countAttempt(id: string): void {
    const entry = this.#entries.get(id);
    if (entry && ++entry.question.attempts >= maxAttempts) entry.end();
  }

  /** Stores the answer to an open question. Returns whether it was open. */
  answer(id: string, answer: SecretValues | 'declined'): boolean {
    const entry = this.#entries.get(id);
    if (!entry || entry.question.answer !== undefined) return false;
    entry.question.answer = answer;
    entry.wake();
    return true;
  }

  /** Resolves when the question is answered or has ended, when the signal is aborted, or after the given time. */
  async settled(id: string, milliseconds: number, signal: AbortSignal): Promise<void> {
    const entry = this.#entries.get(id);
    if (!entry || entry.question.answer !== undefined || signal.aborted) return;
    const deadline = startDeadline({ milliseconds, callerSignal: signal, timeoutError: () => new Error() });
    await deadline.race(entry.ended).catch(() => undefined);
    deadline.clear();
  }

  /**
   * Returns the answer, and ends the question so that the answer is used once. A question without an answer stays open.
   */
  take(id: string): SecretValues | 'declined' | 'expired' | 'open' {
    const entry = this.#entries.get(id);
    if (!entry) return 'expired';
    const { answer } = entry.question;
    if (answer === undefined) return 'open';
    entry.end();
    return answer;
  }

  /** Ends a question, such as one that the client has declined. */
  end(id: string): void {
    this.#entries.get(id)?.end();
  }
}
