import { SafeMap, SafeSet, SafeWeakMap, SafeWeakSet } from '../platform/collections.js';
import type { Port } from '../platform/port.js';
import type { Timer } from '../platform/tasks.js';
import type { RegisteredTool, ToolAnnotations, ToolCall } from '../webmcp.js';
import type { Interfaces, Realm } from './frames/realm.js';
import type { ToolReference } from './idl/dictionaries.js';
import type { Validator } from './validator.js';

/** https://webmachinelearning.github.io/webmcp/#tool-definition */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON text; empty if the tool has no schema. */
  readonly inputSchema: string;
  readonly annotations: ToolAnnotations | undefined;
  /** Serialized origins, without the tool's own. */
  readonly exposedTo: readonly string[];
  readonly run: (input: object, call: ToolCall) => Promise<string | null>;
  release?: () => void;
}

/** The model context of one document. https://webmachinelearning.github.io/webmcp/#model-context */
export interface Context {
  readonly state: PolyfillState;
  readonly document: Document;
  readonly realm: Realm;
  readonly interfaces: Interfaces;
  readonly target: EventTarget;
  readonly tools: Map<string, Tool>;
  readonly handlers: Map<string, { handler: object; readonly listener: (event: Event) => void }>;
  /** Whether a task that dispatches toolchange is queued. */
  hasPendingChange: boolean;
  /** Callbacks that update the tools before they are read. `called` is the name of the tool to call, if any. */
  readonly beforeRead: Set<(called?: string) => void>;
}

/** The discriminant is always an own property, because a page may add others to Object.prototype. */
export type Outcome =
  { readonly failed: false; readonly value: string | null } | { readonly failed: true; readonly error: unknown };

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
  /** Handles the messages to a window that this script serves, until a signal aborts. */
  serve(window: Window, signal: AbortSignal): void;
  /** Greets the copy in a frame that has loaded, or verifies that it still exists. */
  verify(window: Window): void;
  /** Notifies the origins that can see a tool with this `exposedTo`. */
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

export type Connect = (state: PolyfillState, isServed: (window: Window) => boolean) => CrossOrigin;

/** The polyfill in one window, until the window shows another document. */
export interface Installation {
  readonly port: Port;
  readonly undo: (() => unknown)[];
  readonly controller: AbortController;
  validator: Validator | undefined;
}

/**
 * The mutable state of one polyfill. After the signal of `apply` has aborted, only ModelContext objects that the page
 * still holds refer to it.
 */
export interface PolyfillState {
  /** The realm of this script. */
  readonly realm: Realm;
  readonly installations: Map<Realm, Installation>;
  /** The documents whose frames are observed. */
  readonly observed: WeakSet<Document>;
  readonly forms: Map<Document, AbortController>;
  readonly contexts: {
    readonly byDocument: WeakMap<Document, Context>;
    readonly byTarget: WeakMap<object, Context>;
    readonly active: Set<Context>;
  };
  readonly calls: Set<Call>;
  callTimer: Timer | undefined;
  /** The known permissions policies. */
  readonly policies: WeakMap<Document, boolean>;
  readonly policyRequests: Map<Document, { readonly finished: Promise<void>; readonly finish: () => void }>;
  crossOrigin: CrossOrigin | undefined;
}

export const createState = (realm: Realm): PolyfillState => ({
  realm,
  installations: new SafeMap(),
  observed: new SafeWeakSet(),
  forms: new SafeMap(),
  contexts: { byDocument: new SafeWeakMap(), byTarget: new SafeWeakMap(), active: new SafeSet() },
  calls: new SafeSet(),
  callTimer: undefined,
  policies: new SafeWeakMap(),
  policyRequests: new SafeMap(),
  crossOrigin: undefined,
});
