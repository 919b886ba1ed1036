import { SafeMap, SafeSet, SafeWeakMap } from '../platform/collections.js';
import type { Port } from '../platform/port.js';
import type { LazyPart } from '../platform/lazy-part.js';
import type { RunTool, ToolAnnotations } from '../webmcp.js';
import type { Agent } from './agent/agent.js';
import { isFullyActive, type Interfaces, type Realm } from './frames/realm.js';
import type { Validator } from './validator.js';

export type Resolve = (value: unknown) => void;
export type Reject = (reason: unknown) => void;
/** The steps of an operation that returns a promise, which rejects if they throw. */
export type OperationSteps = (context: Context, args: readonly unknown[], resolve: Resolve, reject: Reject) => void;

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
  /** The callback of a tool that a script has registered. */
  readonly execute?: () => unknown;
  /** Runs the tool of a form. */
  readonly run?: RunTool;
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
  /** Callbacks that update the tools before they are read. See `refresh`. */
  readonly beforeRead: Set<(called?: string | null) => void>;
}

export interface GuardedOperation {
  /** Converts the arguments, synchronously. Returns the steps that need the permission. */
  readonly prepare: () => () => void;
  readonly reject: (reason: unknown) => void;
  readonly signal?: AbortSignal | undefined;
  /** Whether the operation runs also if the policy is unknown. */
  readonly mayBeUnknown?: true;
}

/** The exports of `agent/index.ts`. */
export type AgentPart = typeof import('./agent/index.js');

/** The model context that registers the tools of `navigator.modelContext`: that of the polyfill, or of the browser. */
export interface DraftSource {
  readonly realm: Realm;
  /** Returns the `document.modelContext` to which all members except the operations of the drafts are forwarded. */
  readonly target: () => EventTarget;
  /** Undefined if the browser defines `document.modelContext`. */
  readonly context: (() => Context) | undefined;
}

export type DraftOperations = Readonly<
  Record<'provideContext' | 'clearContext' | 'registerTool' | 'unregisterTool', (...args: readonly unknown[]) => void>
>;

/** The polyfill in one window, until the window shows another document. */
interface Installation {
  readonly port: Port;
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
  readonly observed: WeakMap<Document, true>;
  readonly forms: Map<Document, AbortController>;
  readonly contexts: {
    readonly byDocument: WeakMap<Document, Context>;
    readonly byTarget: WeakMap<object, Context>;
    readonly active: Set<Context>;
  };
  /** Whether an agent or a page has used the tools. Until then, changes do not dispatch `toolchange`. */
  isUsed: boolean;
  /** The known permissions policies. */
  readonly policies: WeakMap<Document, boolean>;
  readonly lazyAgent: LazyPart<AgentPart>;
  /** Undefined until the agent script has been loaded. */
  agent: Agent | undefined;
  /** Loads the agent script if needed, and runs steps. */
  withAgent(steps?: (agent: Agent) => void, onError?: (error: unknown) => void): void;
}

/**
 * Runs the steps before the tools are read. Does nothing for an inactive document, whose realm may not have all interfaces.
 *
 * @param called - the name of the tool to call, if only this tool is read; null at the first use of the tools
 */
export function refresh({ beforeRead, document }: Context, called?: string | null): void {
  if (isFullyActive(document)) for (const steps of beforeRead) steps(called);
}

export function createState(realm: Realm, lazyAgent: LazyPart<AgentPart>): PolyfillState {
  const state: PolyfillState = {
    realm,
    installations: new SafeMap(),
    observed: new SafeWeakMap(),
    forms: new SafeMap(),
    contexts: { byDocument: new SafeWeakMap(), byTarget: new SafeWeakMap(), active: new SafeSet() },
    isUsed: false,
    policies: new SafeWeakMap(),
    lazyAgent,
    agent: undefined,
    withAgent(steps, onError) {
      // Forms that are in the page already are not changes.
      if (!state.isUsed) state.contexts.active.forEach((context) => refresh(context, null));
      state.isUsed = true;
      lazyAgent.use(() => steps?.(state.agent as Agent), onError);
    },
  };
  return state;
}
