import type { RegisteredTool } from '../../webmcp.js';
import type { Outcome } from '../calls.js';
import type { Context } from '../frames/context.js';

export interface ForeignCall {
  readonly window: Window;
  readonly name: string;
  /** The origin that the tool is expected to have. */
  readonly origin: string;
  /** JSON text. */
  readonly input: string;
}

/** The pages in the tree of frames that another script serves, most of them of another origin. */
export interface Others {
  /** Tells those that may see a tool exposed to these origins of a change. */
  changed(exposedTo: readonly string[]): void;
  /** The tools of those of these origins; undefined if there is nobody to ask. */
  tools(caller: Context, origins: readonly string[]): Promise<RegisteredTool[]> | undefined;
  /** Runs a tool of one of them; the result cancels the call. Undefined if it is not there. */
  call(caller: Context, call: ForeignCall, finish: (outcome: Outcome) => void): (() => void) | undefined;
  /** Asks the one that embeds a window of ours whether it allows it the tools. */
  askPolicy(window: Window, answer: (allowed: boolean) => void): void;
}

const nobody: Others = {
  changed: () => undefined,
  tools: () => undefined,
  call: () => undefined,
  askPolicy: () => undefined,
};

let current = nobody;
export const others = (): Others => current;
export const useOthers = (those: Others = nobody): void => void (current = those);

/** What goes on with the others. */
export interface Connection {
  /** Answers at a window that this script serves, until a signal aborts. */
  answerAt(window: Window, signal: AbortSignal): void;
  /** Looks whether who was in a frame that has loaded is still there. */
  checkAt(window: Window): void;
  /** Parts with all. */
  end(): void;
}

/** Meets the others, knowing whom this script serves itself. */
export type Connect = (isServed: (window: Window) => boolean) => Connection;
