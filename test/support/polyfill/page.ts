import type { ExecuteToolOptions, ModelContextTool, RegisterToolOptions, ToolEvent } from '../../../src/webmcp.js';
import { afterTest, isNative, namesIn, register as registerIn, rejectionOf, settle, toolIn, until } from './frame.js';

/** A tool of which only the name is required. */
export type SomeTool = Pick<ModelContextTool, 'name'> & Partial<ModelContextTool>;

/** The default members of registered tools. */
export const valid = { description: 'd', execute: (input: unknown): unknown => input };

/** Browsers with WebMCP list tools without waiting for the operations of the older drafts to be loaded. */
before(async () => {
  const { modelContext } = navigator as Partial<Pick<Navigator, 'modelContext'>>;
  if (!isNative || !modelContext) return;
  modelContext.registerTool({ name: 'loaded', ...valid });
  await until(async () => (await namesIn(document)).includes('loaded'));
  modelContext.unregisterTool('loaded');
  await until(async () => !(await namesIn(document)).includes('loaded'));
});

/** Registers a tool in this document, until the end of the test. */
export const register = (tool: SomeTool, options?: RegisterToolOptions): Promise<AbortController> =>
  registerIn(document, tool, options);

/** Runs a tool of this document. */
export const call = async (name: string, input?: object | string, options?: ExecuteToolOptions) =>
  document.modelContext.executeTool(await toolIn(document, name), input, options);

/** Aborts at the end of the test. */
export function testOver(): AbortSignal {
  const controller = new AbortController();
  afterTest(() => controller.abort());
  return controller.signal;
}

/** The error of a rejected promise: 'TypeError', or the name of a DOMException. */
export async function rejectionName(promise: Promise<unknown>): Promise<string> {
  const reason = await rejectionOf(promise);
  if (reason instanceof DOMException) return reason.name;
  if (reason instanceof TypeError) return 'TypeError';
  throw new Error(`Neither a DOMException nor a TypeError: ${String(reason)}`);
}

/** The error of a function: 'TypeError', or the name of a DOMException. */
export function thrownBy(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof DOMException) return error.name;
    return error instanceof TypeError ? 'TypeError' : `neither: ${String(error)}`;
  }
  return 'nothing';
}

/** The next event of a type. */
export const next = (type: 'toolchange' | 'toolactivated' | 'toolcancel'): Promise<ToolEvent> =>
  new Promise((resolve) =>
    document.modelContext.addEventListener(type, (event) => resolve(event as ToolEvent), { once: true }),
  );

/** Registers and unregisters a tool, and waits for its `toolchange`, which follows those for earlier changes. */
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

/** A promise with its resolving functions. */
export function deferred<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<Value>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}

/** A proxy that logs the names of the members that are read. */
export const logged = <Target extends object>(log: string[], target: Target, prefix = ''): Target =>
  new Proxy(target, {
    get(from, key, receiver) {
      log.push(prefix + String(key));
      return Reflect.get(from, key, receiver) as unknown;
    },
  });

/** Collects the errors of the page until the end of the test. Unhandled rejections still fail the test. */
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

/** A property descriptor whose functions have unknown parameters. */
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

/** An unbound method. */
export const methodOf = (target: object, name: string): Operation => Reflect.get(target, name) as Operation;

/** Calls a method, a getter or a setter with any `this`. */
export const applyTo = (operation: unknown, target: unknown, ...args: unknown[]): unknown =>
  Reflect.apply(operation as Operation, target, args);
