import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
} from '@modelcontextprotocol/server';
import type { JsonRecord } from 'webmcp-forms/headless';
import { FairLimit } from '../../concurrency/capacity.js';
import { SecretQuestions } from './secrets/secret-questions.js';

/** The state of a question to a person, with the earlier answers. The client sees it, so it contains no secrets. */
export interface AskState {
  /** Identifies the question. Its answer is accepted once. */
  readonly nonce: string;
  /** The digest of the call, its client, its session and its tool. */
  readonly digest: string;
  readonly step: 'values' | 'confirm' | 'secrets';
  readonly values: JsonRecord;
  readonly isConfirmed: boolean;
  readonly secrets?: string;
}

const ttlSeconds = 600;

/** The maximum numbers of questions that wait on an open connection: in total and for each client. */
const maxOpen = { total: 1000, each: 50 };

/** The state of questions, which the client returns with the answer. It is signed with a key of this process. */
export class Asking {
  /** The expiry times of answered questions by nonce, earliest first. */
  readonly #answered = new Map<string, number>();
  readonly #open = new FairLimit(maxOpen);
  readonly secrets = new SecretQuestions();
  #codec: RequestStateCodec<AskState> | undefined;

  /** Created at the first use, because Workers cannot create random numbers before a request. */
  get codec(): RequestStateCodec<AskState> {
    const key = this.#codec ? undefined : crypto.getRandomValues(new Uint8Array(32));
    return (this.#codec ??= createRequestStateCodec<AskState>({ key: key as Uint8Array, ttlSeconds }));
  }

  /**
   * Counts a question as waiting, until the returned function is called.
   *
   * @throws {ProtocolError} if too many questions wait
   */
  open(client: string | undefined): () => void {
    const close = this.#open.take(client);
    if (close) return close;
    throw new ProtocolError(-32000, 'OVERLOADED: Too many questions wait for an answer. Nothing was sent.');
  }

  /** Accepts the answer to a question, once. @throws {ProtocolError} if it was accepted before */
  accept({ nonce }: AskState): void {
    if (this.#answered.has(nonce)) throw invalidState();
    const now = Date.now();
    for (const [old, expires] of this.#answered) {
      if (expires > now) break;
      this.#answered.delete(old);
    }
    this.#answered.set(nonce, now + ttlSeconds * 1000);
  }
}

/** The error of the SDK for a state that is not signed. */
export const invalidState = (): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
    reason: 'invalid_request_state',
  });
