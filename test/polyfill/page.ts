import type { ExecuteToolOptions, ModelContextTool, RegisterToolOptions, ToolEvent } from '../../src/webmcp.js';
import { afterTest, register as registerIn, rejectionOf, settle, toolIn } from './frame.js';

/** A tool that only a name is told of. */
export type SomeTool = Pick<ModelContextTool, 'name'> & Partial<ModelContextTool>;

/** What is not said of a tool that registers. */
export const valid = { description: 'd', execute: (input: unknown): unknown => input };

/** Registers a tool with the page, until the test is over. */
export const register = (tool: SomeTool, options?: RegisterToolOptions): Promise<AbortController> =>
  registerIn(document, tool, options);

/** Runs a tool of the page. */
export const call = async (name: string, input?: object | string, options?: ExecuteToolOptions) =>
  document.modelContext.executeTool(await toolIn(document, name), input, options);

/** Aborts when the test is over. */
export function testOver(): AbortSignal {
  const controller = new AbortController();
  afterTest(() => controller.abort());
  return controller.signal;
}

/** The kind of error that a promise rejects with: 'TypeError', or the name of a DOMException. */
export async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const reason = await rejectionOf(promise);
  if (reason instanceof DOMException) return reason.name;
  if (reason instanceof TypeError) return 'TypeError';
  throw new Error(`Neither a DOMException nor a TypeError: ${String(reason)}`);
}

/** The kind of error that a function throws. */
export function thrownBy(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof DOMException) return error.name;
    return error instanceof TypeError ? 'TypeError' : `neither: ${String(error)}`;
  }
  return 'nothing';
}

/** The next event of a type at the page's model context. */
export const next = (type: 'toolchange' | 'toolactivated' | 'toolcancel'): Promise<ToolEvent> =>
  new Promise((resolve) =>
    document.modelContext.addEventListener(type, (event) => resolve(event as ToolEvent), { once: true }),
  );

/** Waits until toolchange was fired for all changes so far: for one more of each kind, then for stragglers. */
export async function quiet(): Promise<void> {
  const controller = new AbortController();
  await document.modelContext.registerTool({ ...valid, name: 'quiet' }, { signal: controller.signal });
  const changed = next('toolchange');
  controller.abort();
  await changed;
  await settle();
}

/** Never settles. */
export const forever = (): Promise<never> => new Promise(() => undefined);

/** A promise, and what settles it. */
export function deferred<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<Value>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}

/** An object that adds what is read of it to a log, as `prefix` and the name. */
export const logged = <Target extends object>(log: string[], target: Target, prefix = ''): Target =>
  new Proxy(target, {
    get(from, key, receiver) {
      log.push(prefix + String(key));
      return Reflect.get(from, key, receiver) as unknown;
    },
  });

/** The errors of the page until the test is over. They do not fail the test then; an unhandled rejection does. */
export function pageErrors(): unknown[] {
  const errors: unknown[] = [];
  const { onerror } = window; // the test runner's
  window.onerror = null;
  const listener = (event: ErrorEvent) => {
    event.preventDefault();
    errors.push(event.error);
  };
  window.addEventListener('error', listener);
  afterTest(() => {
    window.removeEventListener('error', listener);
    window.onerror = onerror;
  });
  return errors;
}

type Operation = (...args: readonly unknown[]) => unknown;

/** A property as the interfaces of Web IDL have them. */
export interface Property {
  readonly value?: unknown;
  readonly get?: Operation;
  readonly set?: Operation;
  readonly writable?: boolean;
  readonly enumerable?: boolean;
  readonly configurable?: boolean;
}

export const propertyOf = (target: object, key: PropertyKey): Property =>
  Object.getOwnPropertyDescriptor(target, key) ?? {};

/** A method, taken from its object. */
export const methodOf = (target: object, name: string): Operation => Reflect.get(target, name) as Operation;

/** Calls a method, a getter or a setter with any `this`. */
export const applyTo = (operation: unknown, target: unknown, ...args: unknown[]): unknown =>
  Reflect.apply(operation as Operation, target, args);
