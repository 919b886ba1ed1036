import { SafeMap, withoutPrototype } from '../../platform/collections.js';
import { listen } from '../../platform/signals.js';
import { wait } from '../../platform/timers.js';
import { toolNamePattern } from '../../tool-name.js';
import type { HostedTool, ModelContext, RunTool, ToolHost } from '../../webmcp.js';
import type { CallException } from '../call/call-error.js';
import { observeNavigations } from '../dom/navigations.js';

/**
 * Registers tools with the model context of the browser or another polyfill. The browser discards the reasons of failed
 * calls, so errors are returned as results: `{ isError, message, errors }`.
 */
export function nativeHost(context: ModelContext, window: Window): ToolHost {
  const tools = new SafeMap<string, { readonly controller: AbortController; readonly run: RunTool }>();
  const host: ToolHost = {
    add(definition, run) {
      if (tools.has(definition.name)) return false;
      const controller = new AbortController();
      tools.set(definition.name, { controller, run });
      const runHere: RunInWindow = (input, signal) => resultOf(run, input, signal, window);
      void register(context, definition, runHere, controller.signal);
      return true;
    },
    update(name, definition) {
      const tool = tools.get(name);
      if (!tool || (definition.name !== name && tools.has(definition.name))) return false;
      host.remove(name);
      return host.add(definition, tool.run);
    },
    remove(name) {
      tools.get(name)?.controller.abort();
      tools.delete(name);
    },
    onBeforeRead: () => undefined,
    onFirstUse: () => undefined,
  };
  return host;
}

type RunInWindow = (input: object, signal: AbortSignal) => Promise<unknown>;

/** Registers a tool. After a failure, retries at each `toolchange`. Reports the first failure other than a taken name. */
async function register(
  context: ModelContext,
  { annotations, ...tool }: HostedTool,
  run: RunInWindow,
  signal: AbortSignal,
): Promise<void> {
  const definition = {
    ...tool,
    description: tool.description || tool.title || tool.name, // the browser rejects an empty description
    ...(annotations && { annotations }),
    execute: (input: object, options?: { readonly signal?: AbortSignal }): Promise<unknown> =>
      run(input, options?.signal ?? signal),
  };
  const isOver = (): boolean => signal.aborted; // TypeScript would narrow a property
  let isReported = false;
  while (!isOver()) {
    try {
      return void (await context.registerTool(definition, { signal }));
    } catch (error) {
      if (!isOver() && !isReported && !isNameTaken(tool.name, error)) {
        isReported = true;
        reportFailure(tool.name, error);
      }
      await toolChange(context, signal);
    }
  }
}

/** Browsers reject a tool whose name is valid with this error only if another tool has the name. */
const isNameTaken = (name: string, error: unknown): boolean =>
  errorName(error) === 'InvalidStateError' && toolNamePattern.test(name);

const errorName = (error: unknown): unknown => Reflect.get(Object(error) as object, 'name');

function reportFailure(name: string, error: unknown): void {
  const reason = errorName(error) === 'NotAllowedError' ? ' Allow "tools" in the permissions policy of the page.' : '';
  console.warn(`The browser has refused the tool "${name}" of a form.${reason}`, error);
}

async function toolChange(context: ModelContext, signal: AbortSignal): Promise<void> {
  const listeners = new AbortController();
  const options = { signal: listeners.signal };
  await new Promise<unknown>((resolve) => {
    (context as Partial<ModelContext>).addEventListener?.('toolchange', resolve, options);
    signal.addEventListener('abort', resolve, options);
  });
  listeners.abort();
}

const ignore = (): undefined => undefined;

async function resultOf(run: RunTool, input: object, signal: AbortSignal, window: Window): Promise<unknown> {
  const navigation = new NavigationWatch(window);
  try {
    const result = run(input, { signal, activated: ignore, canceled: ignore, leaves: ignore });
    return await Promise.race([result.then((value) => value ?? navigation.settled()), navigation.unloaded]);
  } catch (error) {
    if (signal.aborted) throw error;
    const { message, errors = [] } = error as Partial<CallException>;
    return { isError: true, message, errors };
  } finally {
    navigation.stop();
  }
}

const startTimeoutMs = 50;
const endTimeoutMs = 30_000;

/** Observes whether a window navigates during a call. The browser's own model context ends a call with its document. */
class NavigationWatch {
  /** Resolves when the document is unloaded, if it is in a frame: calls from other frames would otherwise reject. */
  readonly unloaded: Promise<null>;
  readonly #controller = new AbortController();
  readonly #handled: Promise<void>;
  #isLeaving = false;

  constructor(window: Window) {
    const { signal } = this.#controller;
    this.#handled = new Promise((end) => {
      observeNavigations(window, { start: (isLeaving) => (this.#isLeaving ||= isLeaving), end }, signal);
    });
    this.unloaded = new Promise((resolve) => {
      if (window.parent !== window) listen(window, 'pagehide', () => resolve(null), withoutPrototype({ signal }));
    });
  }

  /**
   * Resolves after a submission. If the document is about to be unloaded, waits for the end of the navigation or a time limit,
   * so that agents of the browser receive the JSON-LD of the next page.
   */
  async settled(): Promise<null> {
    await wait(startTimeoutMs); // the browser starts a navigation in a task
    if (this.#isLeaving) await Promise.race([this.#handled, wait(endTimeoutMs)]);
    return null;
  }

  stop(): void {
    this.#controller.abort();
  }
}
