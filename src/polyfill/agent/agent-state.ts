import { SafeMap, SafeSet } from '../../platform/collections.js';
import type { Timer } from '../../platform/tasks.js';
import type { RegisteredTool } from '../../webmcp.js';
import type { Context, PolyfillState, Tool } from '../state.js';
import type { ToolReference } from './dictionaries.js';

/** The discriminant is always an own property, because a page may add others to Object.prototype. */
export type Outcome =
  | { readonly failed: false; readonly value: string | null }
  | { readonly failed: true; readonly error: unknown };

export interface Call {
  /** Undefined for a document of another origin. */
  readonly caller: Context | undefined;
  readonly target: Context;
  readonly name: string;
  /** JSON text. */
  readonly input: string;
  readonly mayRun: (tool: Tool) => boolean;
  readonly finish: (outcome: Outcome) => void;
  controller?: AbortController;
  /** Whether the tool canceled the call itself. */
  isCanceled?: true;
  /** Stops waiting for the result from the next document. */
  stopWaiting?: () => void;
}

/** The connection to the other copies of this script in the frame tree, most of them of other origins. */
export interface CrossOrigin {
  /** Whether another copy loads its agent script before it replies. */
  readonly isWaiting: boolean;
  serve(window: Window): void;
  receive(event: MessageEvent): void;
  verify(window: Window): void;
  notify(exposedTo: readonly string[]): void;
  /** The tools of the given origins; undefined if no other copy is known. */
  listTools(caller: Context, origins: readonly string[]): Promise<RegisteredTool[]> | undefined;
  /** Starts a call with JSON text and returns a function that cancels it; undefined if no copy serves the window. */
  startCall(
    caller: Context,
    tool: ToolReference,
    input: string,
    finish: (outcome: Outcome) => void,
  ): (() => void) | undefined;
  /** Requests the policy for a window from the page that embeds it. */
  requestPolicy(window: Window, onResult: (allowed: boolean) => void): void;
  end(): void;
}

/** The mutable state of the agent script, for one polyfill. */
export interface AgentState {
  readonly polyfill: PolyfillState;
  readonly calls: Set<Call>;
  callTimer: Timer | undefined;
  readonly policyRequests: Map<Document, { readonly finished: Promise<void>; readonly finish: () => void }>;
  crossOrigin: CrossOrigin | undefined;
}

export const createAgentState = (polyfill: PolyfillState): AgentState => ({
  polyfill,
  calls: new SafeSet(),
  callTimer: undefined,
  policyRequests: new SafeMap(),
  crossOrigin: undefined,
});
