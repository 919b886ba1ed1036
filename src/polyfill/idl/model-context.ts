import { isAborted, onAbort, reasonOf } from '../../platform/signals.js';
import { queueTask } from '../../platform/tasks.js';
import type { RegisteredTool } from '../../webmcp.js';
import { errorFor, Failure, failure, startCall } from '../calls.js';
import { activeContexts, contextIn, domException, isActive, refresh } from '../frames/context.js';
import { originOf, trustworthyOrigin } from '../frames/origins.js';
import { checkNotDenied, whenAllowed } from '../frames/permission.js';
import { isAllowed } from '../frames/policy.js';
import { inRealm, isClosed, type Interfaces, type Realm } from '../frames/realm.js';
import { imperativeTool } from '../imperative.js';
import type { Context, Outcome, PolyfillState, Tool } from '../state.js';
import { addTool, checkTool, isExposed, removeTool } from '../tools.js';
import * as dictionaries from './dictionaries.js';
import { handlerAttribute } from './events.js';
import { argumentsMissing, makeInterface, type Operation } from './interface.js';
import { isObject } from './web-idl.js';

type Resolve = (value: unknown) => void;
type Reject = (reason: unknown) => void;
type Steps = (context: Context, args: readonly unknown[], resolve: Resolve, reject: Reject) => void;

/** https://webmachinelearning.github.io/webmcp/#model-context-container */
export function modelContextInterface(state: PolyfillState, realm: Realm): Interfaces['ModelContext'] {
  const contextBehind = (target: unknown): Context => {
    const context = state.contexts.byTarget.get(target as object);
    if (context) return context;
    throw new realm.TypeError('Illegal invocation: this is not a ModelContext.');
  };
  /** An operation that returns a promise, which rejects if the steps throw. */
  const operation = (length: number, steps: Steps): Operation => ({
    length,
    run(...args) {
      const known = state.contexts.byTarget.get(this as object);
      // Browsers differ in how they settle the promises of an inactive window.
      const { Promise } = known && !isActive(known) ? state.realm : realm;
      return new Promise((resolve, reject) => {
        const context = contextBehind(this);
        if (args.length < length) throw new realm.TypeError(argumentsMissing(length, args));
        steps(context, args, resolve, reject);
      });
    },
  });
  return makeInterface(realm, {
    name: 'ModelContext',
    parent: realm.EventTarget,
    operations: {
      registerTool: operation(1, registerTool),
      getTools: operation(0, getTools),
      executeTool: operation(1, executeTool),
    },
    attributes: {
      ontoolchange: handlerAttribute('toolchange', contextBehind),
      ontoolactivated: handlerAttribute('toolactivated', contextBehind),
      ontoolcancel: handlerAttribute('toolcancel', contextBehind),
    },
  });
}

const throwIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal && isAborted(signal)) throw reasonOf(signal);
};

/** https://webmachinelearning.github.io/webmcp/#dom-modelcontext-registertool */
function registerTool(context: Context, args: readonly unknown[], resolve: Resolve, reject: Reject): void {
  const conversion = { realm: context.realm, operation: 'registerTool' };
  const init = dictionaries.toolInit(conversion, args[0]);
  const { exposedTo, signal } = dictionaries.registerOptions(conversion, args[1]);
  const check = (): void => checkTool(context.realm, init, context.tools.has(init.name));
  const prepare = (): (() => void) => {
    check();
    const inputSchema = dictionaries.schemaText(conversion, init);
    throwIfAborted(signal);
    const tool = imperativeTool(context, init, inputSchema, originsOf(context, exposedTo, 'exposedTo'));
    return () => {
      throwIfAborted(signal);
      check(); // checked again, because toJSON() may have registered a tool
      tool.release = onAbort(signal, (reason) => {
        removeTool(context, tool);
        reject(reason);
      });
      addTool(context, tool);
      queueTask(() => resolve(undefined));
    };
  };
  whenAllowed(context, { prepare, reject, signal, check: checkNotDenied });
}

function originsOf(context: Context, urls: readonly string[], member: string): readonly string[] {
  return urls.map((url) => {
    const origin = trustworthyOrigin(url);
    if (origin !== null) return origin;
    throw domException(context, 'SecurityError', `Only secure origins are allowed in the ${member} list: "${url}".`);
  });
}

/** https://webmachinelearning.github.io/webmcp/#dom-modelcontext-gettools */
function getTools(context: Context, args: readonly unknown[], resolve: Resolve, reject: Reject): void {
  const urls = dictionaries.fromOrigins({ realm: context.realm, operation: 'getTools' }, args[0]);
  const prepare = (): (() => void) => {
    const origins = originsOf(context, urls, 'fromOrigins');
    return () => void listTools(context, origins, resolve, reject);
  };
  whenAllowed(context, { prepare, reject });
}

async function listTools(
  context: Context,
  origins: readonly string[],
  resolve: Resolve,
  reject: Reject,
): Promise<void> {
  const { state, realm } = context;
  try {
    const tools = localTools(context);
    const crossOrigin = state.crossOrigin?.listTools(context, [realm.origin, ...origins]);
    if (crossOrigin) tools.push(...(await crossOrigin));
    queueTask(() => resolve(sorted(context, tools)));
  } catch (error) {
    reject(error);
  }
}

/** The tools of the documents of this origin. */
export function localTools(context: Context): RegisteredTool[] {
  const { state, realm } = context;
  return activeContexts(state)
    .filter((owner) => owner === context || (realm.origin !== 'null' && isAllowed(state, owner.document)))
    .flatMap((owner) => {
      refresh(owner);
      return [...owner.tools.values()].map((tool) => registeredTool(context, owner, tool));
    });
}

function registeredTool({ realm }: Context, owner: Context, tool: Tool): RegisteredTool {
  const { name, title, description, inputSchema, annotations } = tool;
  const schema = inputSchema === '' ? undefined : realm.parse(inputSchema);
  return inRealm(realm, {
    ...(annotations && { annotations: inRealm(realm, { ...annotations }) }),
    description,
    ...(isObject(schema) && { inputSchema: schema }),
    name,
    origin: owner.realm.origin,
    title,
    window: owner.realm.window,
  });
}

function sorted({ realm }: Context, tools: readonly RegisteredTool[]): RegisteredTool[] {
  const list = new realm.Array<RegisteredTool>();
  for (const tool of tools) list.push(tool);
  return list.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

/** https://webmachinelearning.github.io/webmcp/#dom-modelcontext-executetool */
function executeTool(context: Context, args: readonly unknown[], resolve: Resolve, reject: Reject): void {
  const conversion = { realm: context.realm, operation: 'executeTool' };
  const reference = dictionaries.toolReference(conversion, args[0]);
  const signal = dictionaries.executeSignal(conversion, args[2]);
  const prepare = (): (() => void) => {
    const origin = targetOrigin(context, reference.origin);
    const input = dictionaries.inputText(conversion, args[1]);
    throwIfAborted(signal);
    return () => {
      throwIfAborted(signal);
      const finish = (outcome: Outcome): void =>
        queueTask(() => {
          stopListening();
          if (outcome.failed) reject(errorFor(context, outcome.error));
          else resolve(outcome.value);
        });
      const cancel = callTool(context, { ...reference, origin }, input, finish);
      const stopListening = onAbort(signal, (reason) => {
        reject(reason);
        cancel();
      });
    };
  };
  whenAllowed(context, { prepare, reject, signal });
}

function targetOrigin(context: Context, url: string): string {
  const origin = originOf(url);
  if (origin !== null && origin !== 'null') return origin;
  const reason =
    origin === null
      ? 'The provided origin is invalid.'
      : 'Cannot execute tools that live in a document with an opaque origin.';
  throw domException(context, 'NotSupportedError', reason);
}

/** Calls the tool in its document. Returns a function that cancels the call. */
function callTool(
  caller: Context,
  reference: dictionaries.ToolReference,
  input: string,
  finish: (outcome: Outcome) => void,
): () => void {
  const { state } = caller;
  const { window, name, origin } = reference;
  if (isClosed(window)) throw domException(caller, 'InvalidStateError', `The window of "${name}" is closed.`);
  const target = contextIn(state, window);
  if (target && isActive(target) && isAllowed(state, target.document) && target.realm.origin === origin) {
    refresh(target, name);
    const mayRun = (tool: Tool): boolean => isExposed(tool, target.realm.origin, caller.realm.origin);
    return startCall({ caller, target, name, input, mayRun, finish });
  }
  const cancel = state.crossOrigin?.startCall(caller, reference, input, finish);
  if (cancel) return cancel;
  finish(failure(new Failure(`The tool "${name}" of ${origin} is not available to this page.`)));
  return () => undefined;
}
