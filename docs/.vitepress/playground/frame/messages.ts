import type { ProfileName } from '../../../../src/compiler/index.js';
import type { InertMarkup } from '../inert-tags.js';

/** A message of the page to the frame. */
export type FrameRequest =
  | {
      readonly kind: 'show';
      readonly id: number;
      readonly markup: InertMarkup;
      /** Whether parts are not rendered whose layout can take very long. */
      readonly limitsLayout: boolean;
    }
  | {
      readonly kind: 'call';
      readonly id: number;
      /** The position of the form among all forms of the page. */
      readonly form: number;
      readonly profile: ProfileName;
      readonly input: string;
    }
  | { readonly kind: 'submit'; readonly id: number }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'ping'; readonly id: number };

/** One name and value of a submission. */
export interface SentEntry {
  readonly name: string;
  readonly value: string;
}

/** The request that the browser would send. */
export interface Submission {
  readonly method: string;
  readonly action: string;
  readonly enctype: string;
  readonly entries: readonly SentEntry[];
  /** Whether a script of the page has prevented the submission and answers itself. */
  readonly isHandled: boolean;
}

export interface ParameterMessage {
  /** Empty if the error does not concern a parameter. */
  readonly parameter: string;
  readonly code: string;
  readonly message: string;
}

/** A message of the frame to the page. The frame runs what visitors paste, so that none of it can be believed. */
export type FrameMessage =
  | { readonly kind: 'ready' }
  /** `forms` is JSON text. */
  | { readonly kind: 'shown'; readonly id: number; readonly forms: string; readonly count: number }
  | { readonly kind: 'blocked'; readonly what: string }
  | { readonly kind: 'submission'; readonly submission: Submission }
  | { readonly kind: 'waiting'; readonly id: number }
  | { readonly kind: 'result'; readonly id: number; readonly result: string | null }
  | {
      readonly kind: 'error';
      readonly id: number;
      readonly message: string;
      readonly errors: readonly ParameterMessage[];
    }
  | { readonly kind: 'pong'; readonly id: number };
