/**
 * The WebMCP API as types.
 * Source: https://webmachinelearning.github.io/webmcp/ and, where the draft is silent, Chromium 156.
 */

/** What a tool says about itself. All are `false` unless said. */
export interface ToolAnnotations {
  /** It reads, and changes nothing. */
  readonly readOnlyHint: boolean;
  /** Its result holds content that its author does not vouch for. */
  readonly untrustedContentHint: boolean;
  /** It does something significant that cannot be taken back. */
  readonly consequentialHint: boolean;
  /** It is meant for debugging, not for a visitor's agent. */
  readonly debugging: boolean;
}

/** The second argument of `execute`: today's options and the client of the older drafts in one object. */
export interface ToolExecuteOptions {
  /** Aborts, with a plain `AbortError`, when the caller gives up or goes away. */
  readonly signal: AbortSignal;
  /** Runs `interaction` and resolves with its result. Of the older drafts; rejects once `signal` is aborted. */
  requestUserInteraction<Result>(interaction: () => Result | PromiseLike<Result>): Promise<Result>;
}

/** Runs a tool. `input` is a fresh copy of what the agent gave, unchecked. Any result becomes a string. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the author knows the shape that the schema asks for
export type ToolExecuteCallback = (input: any, options: ToolExecuteOptions) => unknown;

/** A tool as a page hands it to `registerTool`. */
export interface ModelContextTool {
  /** 1 to 128 of `A-Z a-z 0-9 _ - .` */
  readonly name: string;
  /** For people. */
  readonly title?: string;
  /** Not empty. */
  readonly description: string;
  /** A JSON Schema; not checked unless `apply` was given a validator. */
  readonly inputSchema?: object;
  readonly execute: ToolExecuteCallback;
  readonly annotations?: Partial<ToolAnnotations>;
}

export interface RegisterToolOptions {
  /** Unregisters the tool when aborted. */
  readonly signal?: AbortSignal;
  /** Origins, besides the tool's own, that may see and run it. */
  readonly exposedTo?: readonly string[];
}

export interface GetToolsOptions {
  /** Origins, besides the caller's own, whose tools are listed too. */
  readonly fromOrigins?: readonly string[];
}

export interface ExecuteToolOptions {
  /** Gives up: the promise rejects with its reason, the tool's own signal aborts. */
  readonly signal?: AbortSignal;
}

/** A tool as `getTools` lists it, and as `executeTool` takes it. */
export interface RegisteredTool {
  readonly name: string;
  /** Empty if there is none. */
  readonly title?: string;
  readonly description: string;
  /** A fresh copy. */
  readonly inputSchema?: object;
  /** The window that the tool lives in. */
  readonly window: Window;
  /** The origin of the tool's document, serialised. */
  readonly origin: string;
  readonly annotations?: ToolAnnotations;
}

/** An event about one tool: `toolactivated` and `toolcancel`. */
export interface ToolEvent extends Event {
  readonly toolName: string;
}

export interface ToolEventInit extends EventInit {
  toolName?: string;
}

/** `document.modelContext`. */
export interface ModelContext extends EventTarget {
  ontoolchange: ((event: Event) => unknown) | null;
  ontoolactivated: ((event: ToolEvent) => unknown) | null;
  ontoolcancel: ((event: ToolEvent) => unknown) | null;
  /** Resolves after `toolchange`; rejects with what is wrong. */
  registerTool(tool: ModelContextTool, options?: RegisterToolOptions): Promise<undefined>;
  /** Resolves with the tools of this document and of the frames of its tree, sorted by name. */
  getTools(options?: GetToolsOptions): Promise<RegisteredTool[]>;
  /**
   * Runs a tool. Resolves with its result as a string, or with `null` if the document was navigated.
   * `input` is an object, or the JSON text of one.
   */
  executeTool(tool: RegisteredTool, input?: object | string, options?: ExecuteToolOptions): Promise<string | null>;
}

/** `navigator.modelContext` of the older drafts, with today's members beside theirs. */
export interface NavigatorModelContext extends Omit<ModelContext, 'registerTool'> {
  /** Replaces the tools that were registered through `navigator`, all or nothing. Of one name, the last wins. */
  provideContext(options?: { readonly tools?: Iterable<ModelContextTool> }): undefined;
  /** Removes the tools that were registered through `navigator`. */
  clearContext(): undefined;
  /** Throws at once what `document.modelContext.registerTool` rejects with. */
  registerTool(tool: ModelContextTool, options?: Pick<RegisterToolOptions, 'signal'>): undefined;
  /** Throws an `InvalidStateError` for a name that is not registered through `navigator`. */
  unregisterTool(name: string): undefined;
}

/** What a host keeps of a tool. `description` may be empty: Chromium allows that for forms. */
export interface HostedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations?: ToolAnnotations;
}

/** One call of a hosted tool. */
export interface ToolCall {
  /** Aborts, with a plain `AbortError`, when the caller gives up or goes away. */
  readonly signal: AbortSignal;
  /** Says that the tool has begun: `toolactivated` is dispatched now. */
  readonly activated: () => void;
  /** Says that the tool gives up by itself what it has begun: `toolcancel` is dispatched once the caller knows. */
  readonly canceled: () => void;
  /** Says that the document goes, and that what comes next tells the result on the BroadcastChannel of this name. */
  readonly leaves: (channel: string) => void;
}

/** Runs a hosted tool. A string or `null` is the result as it is; an error reaches the caller as it is. */
export type RunTool = (input: object, call: ToolCall) => Promise<string | null>;

/** Where the live forms of a document register their tools. The polyfill implements it. */
export interface ToolHost {
  /** Adds a tool, unless its name is taken. */
  add(definition: HostedTool, run: RunTool): boolean;
  /** Replaces the definition of a tool that was added, in one `toolchange`; false if the new name is taken. */
  update(name: string, definition: HostedTool): boolean;
  /** Removes a tool that was added. Calls that run go on. */
  remove(name: string): void;
  /** Runs steps before the document's tools are listed, or one is called, so that they can be brought up to date. Until a signal aborts. */
  onBeforeRead(steps: (called?: string) => void, signal?: AbortSignal): void;
}

declare global {
  interface SubmitEvent {
    /** Whether an agent's call has led to the submission. */
    readonly agentInvoked: boolean;
    /**
     * Answers the call, while the event is dispatched and after `preventDefault()`. The last call wins; a promise is
     * waited for.
     */
    respondWith(result: unknown): undefined;
  }

  interface Document {
    /** Only in secure contexts, and where the browser or the polyfill gives it. */
    readonly modelContext: ModelContext;
  }

  interface Navigator {
    /** The older drafts' API, where the polyfill gives it. */
    readonly modelContext: NavigatorModelContext;
  }

  interface Window {
    readonly ModelContext: { new (): never; readonly prototype: ModelContext };
    readonly ToolActivatedEvent: { new (type: string, init?: ToolEventInit): ToolEvent; readonly prototype: ToolEvent };
    readonly ToolCancelEvent: { new (type: string, init?: ToolEventInit): ToolEvent; readonly prototype: ToolEvent };
  }
}
