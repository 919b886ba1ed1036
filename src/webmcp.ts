/**
 * The WebMCP API as types.
 * Source: https://webmachinelearning.github.io/webmcp/ and, for behaviour that the draft does not define, Chromium 156.
 */

/** Hints about a tool's behaviour. Each is `false` by default. */
export interface ToolAnnotations {
  /** The tool only reads. */
  readonly readOnlyHint: boolean;
  /** The result contains content that the tool's author does not control. */
  readonly untrustedContentHint: boolean;
  /** The tool has a significant effect that cannot be undone. */
  readonly consequentialHint: boolean;
  /** The tool is for debugging, not for a visitor's agent. */
  readonly debugging: boolean;
}

/** The second argument of `execute`: the options of the current draft, with the method of the client of older drafts. */
export interface ToolExecuteOptions {
  /** Aborts with an `AbortError` when the caller cancels the call or its document is unloaded. */
  readonly signal: AbortSignal;
  /** Runs `interaction` and resolves with its result; rejects if `signal` is aborted. A method of the older drafts. */
  requestUserInteraction<Result>(interaction: () => Result | PromiseLike<Result>): Promise<Result>;
}

/** Runs a tool. `input` is an unvalidated copy of the agent's input. Any result is converted to a string. */
// oxlint-disable-next-line typescript/no-explicit-any -- the author knows the shape of the input
export type ToolExecuteCallback = (input: any, options: ToolExecuteOptions) => unknown;

/** The first argument of `registerTool`. */
export interface ModelContextTool {
  /** 1 to 128 of the characters `A-Z a-z 0-9 _ - .` */
  readonly name: string;
  /** A label for people. */
  readonly title?: string;
  /** Must not be empty. */
  readonly description: string;
  /** A JSON Schema. Input is validated only if `apply` was called with `validate`. */
  readonly inputSchema?: object;
  readonly execute: ToolExecuteCallback;
  readonly annotations?: Partial<ToolAnnotations>;
}

export interface RegisterToolOptions {
  /** Unregisters the tool when aborted. */
  readonly signal?: AbortSignal;
  /** The origins, besides the tool's own, that may list and run the tool. */
  readonly exposedTo?: readonly string[];
}

export interface GetToolsOptions {
  /** The origins, besides the caller's own, whose tools are listed. */
  readonly fromOrigins?: readonly string[];
}

export interface ExecuteToolOptions {
  /** Cancels the call: the promise rejects with the signal's reason, and the tool's own signal aborts. */
  readonly signal?: AbortSignal;
}

/** A tool in the result of `getTools`. */
export interface RegisteredTool {
  readonly name: string;
  /** Empty if the tool has no title. */
  readonly title: string;
  readonly description: string;
  /** A copy of the tool's schema. */
  readonly inputSchema?: object;
  /** The window of the tool's document. */
  readonly window: Window;
  /** The origin of the tool's document, serialized. */
  readonly origin: string;
  readonly annotations?: Partial<ToolAnnotations>;
}

/** A listed tool. The members that identify it are required; the other members are optional. */
export type ToolReference = Pick<RegisteredTool, 'name' | 'window' | 'origin'> & Partial<RegisteredTool>;

/** `toolactivated` or `toolcancel`. */
export interface ToolEvent extends Event {
  readonly toolName: string;
}

export interface ToolEventInit extends EventInit {
  toolName?: string;
}

/** The events of `document.modelContext`. */
export interface ModelContextEventMap {
  readonly toolchange: Event;
  readonly toolactivated: ToolEvent;
  readonly toolcancel: ToolEvent;
}

/** `document.modelContext`. */
export interface ModelContext extends EventTarget {
  ontoolchange: ((event: Event) => unknown) | null;
  ontoolactivated?: ((event: ToolEvent) => unknown) | null;
  ontoolcancel?: ((event: ToolEvent) => unknown) | null;
  addEventListener<Type extends keyof ModelContextEventMap>(
    type: Type,
    listener: (event: ModelContextEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(...args: Parameters<EventTarget['addEventListener']>): void;
  /** Resolves after `toolchange`; rejects if the tool is invalid. */
  registerTool(tool: ModelContextTool, options?: RegisterToolOptions): Promise<void>;
  /** Resolves with the tools of all documents in the frame tree, sorted by name. */
  getTools(options?: GetToolsOptions): Promise<RegisteredTool[]>;
  /**
   * Runs a tool. Resolves with its result as a string, or with `null` if the tool navigated its document.
   * `input` is an object, or the JSON text of an object.
   */
  executeTool(tool: ToolReference, input?: object | string, options?: ExecuteToolOptions): Promise<string | null>;
}

/** `navigator.modelContext` of the older drafts, extended by the members of the current draft. */
export interface NavigatorModelContext extends Omit<ModelContext, 'registerTool'> {
  /** Replaces all tools that were registered through `navigator`. Of tools with the same name, the last one wins. */
  provideContext(options?: { readonly tools?: Iterable<ModelContextTool> }): undefined;
  /** Removes the tools that were registered through `navigator`. */
  clearContext(): undefined;
  /** Throws synchronously where `document.modelContext.registerTool` rejects. */
  registerTool(tool: ModelContextTool, options?: Pick<RegisterToolOptions, 'signal'>): undefined;
  /** Throws an `InvalidStateError` if no tool of this name was registered through `navigator`. */
  unregisterTool(name: string): undefined;
}

/** A tool of a form. `description` may be empty: Chromium allows that for forms. */
export interface HostedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations?: ToolAnnotations;
}

/** One call of a hosted tool. */
export interface ToolCall {
  /** Aborts with an `AbortError` when the caller cancels the call or its document is unloaded. */
  readonly signal: AbortSignal;
  /** Dispatches `toolactivated`. */
  readonly activated: () => void;
  /** Marks the call as canceled by the tool: `toolcancel` is dispatched after the call has settled. */
  readonly canceled: () => void;
  /** Announces a navigation: the next document sends the result on the BroadcastChannel with this name. */
  readonly leaves: (channel: string) => void;
}

/** Runs a hosted tool. The result and any error are passed to the caller unchanged. */
export type RunTool = (input: object, call: ToolCall) => Promise<string | null>;

/** Registers the tools of a document's live forms. Implemented by the polyfill. */
export interface ToolHost {
  /** Adds a tool. Returns false if its name is in use. */
  add(definition: HostedTool, run: RunTool): boolean;
  /** Replaces the definition of an added tool, with one `toolchange`. Returns false if the new name is in use. */
  update(name: string, definition: HostedTool): boolean;
  /** Removes an added tool. Its running calls continue. */
  remove(name: string): void;
  /**
   * Runs steps before the document's tools are read, so that the steps can update the tools. An aborted signal removes the
   * steps. `called` is the name of the called tool, if only this tool is read; null at the first use of the tools.
   */
  onBeforeRead(steps: (called?: string | null) => void, signal?: AbortSignal): void;
  /**
   * Runs steps when an agent or another page uses the tools for the first time, or at once if this has happened. The tools
   * are read after the returned promise has resolved.
   */
  onFirstUse(steps: () => void | Promise<void>, signal?: AbortSignal): void;
}

/** Members of `SubmitEvent`. */
export interface AgentSubmission {
  /** Whether a tool call caused the submission. */
  readonly agentInvoked: boolean;
  /**
   * Sets the result of the tool call. Must be called during the dispatch, after `preventDefault()`. A promise is
   * awaited, and the last call wins.
   */
  respondWith(result: unknown): void;
}

/** Members of `Document`. */
export interface WithModelContext {
  /** Exists in secure contexts, if the browser or a polyfill defines it. */
  readonly modelContext?: ModelContext;
}

/** Members of `Navigator`. */
export interface WithNavigatorModelContext {
  /** The API of the older drafts, if the polyfill defines it. */
  readonly modelContext?: NavigatorModelContext;
}

/** The interfaces as members of `Window`. */
export interface WithModelContextInterfaces {
  readonly ModelContext?: { new (): never; readonly prototype: ModelContext };
  readonly ToolActivatedEvent?: { new (type: string, init?: ToolEventInit): ToolEvent; readonly prototype: ToolEvent };
  readonly ToolCancelEvent?: { new (type: string, init?: ToolEventInit): ToolEvent; readonly prototype: ToolEvent };
}

/* Inherited members do not conflict with declarations in TypeScript or in other packages, such as webmcp-types. */
declare global {
  interface SubmitEvent extends AgentSubmission {}
  interface Document extends WithModelContext {}
  interface Navigator extends WithNavigatorModelContext {}
  interface Window extends WithModelContextInterfaces {}
}
