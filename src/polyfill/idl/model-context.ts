import type { RegisteredTool } from '../../webmcp.js';
import { errorFor, Failure, failure, startCall, type Outcome } from '../calls.js';
import {
  activeContexts,
  contextBehind,
  contextIn,
  domException,
  isActive,
  refresh,
  type Context,
  type Tool,
} from '../frames/context.js';
import { handlerAttribute } from './event-handlers.js';
import * as dictionaries from './dictionaries.js';
import { count, makeInterface, type InterfaceDefinition } from './interface.js';
import { runCallback } from '../imperative.js';
import { originOf, trustworthyOrigin } from '../frames/origins.js';
import { others } from '../cross-origin/channel.js';
import { isAllowed } from '../frames/policy.js';
import { inRealm, isClosed, ownRealm, type Interfaces, type Realm } from '../frames/realm.js';
import { isAborted, onAbort, reasonOf } from '../../platform/signals.js';
import { queueTask } from '../../platform/tasks.js';
import { addTool, checkTool, isExposed, removeTool } from '../tools.js';
import { checkDenial, whenUsable } from '../frames/permission.js';
import { isObject, type Conversion } from './web-idl.js';

type Resolve = (value: unknown) => void;
type Reject = (reason: unknown) => void;
type Steps = (context: Context, args: readonly unknown[], resolve: Resolve, reject: Reject) => void;

/** https://webmachinelearning.github.io/webmcp/#model-context-container */
export const modelContextInterface = (realm: Realm): Interfaces['ModelContext'] =>
  makeInterface(realm, {
    name: 'ModelContext',
    parent: realm.EventTarget,
    operations: {
      registerTool: operation(realm, 1, registerTool),
      getTools: operation(realm, 0, getTools),
      executeTool: operation(realm, 1, executeTool),
    },
    attributes: {
      ontoolchange: handlerAttribute(realm, 'toolchange'),
      ontoolactivated: handlerAttribute(realm, 'toolactivated'),
      ontoolcancel: handlerAttribute(realm, 'toolcancel'),
    },
  });

type Operation = Required<InterfaceDefinition>['operations'][string];

/** An operation that returns a promise: whatever its steps throw, it rejects with. */
const operation = (realm: Realm, length: number, steps: Steps): Operation => ({
  length,
  run(...args) {
    const context = contextBehind(this);
    // Promises of a window that is gone settle in no engine alike: then it is one of ours.
    const { Promise } = context && !isActive(context) ? ownRealm() : realm;
    return new Promise((resolve, reject) => {
      if (!context) throw new realm.TypeError('Illegal invocation: this is no ModelContext.');
      if (args.length < length) throw new realm.TypeError(count(length, args));
      steps(context, args, resolve, reject);
    });
  },
});

const conversionFor = (realm: Realm, name: string): Conversion => ({ realm, operation: name });

/** https://webmachinelearning.github.io/webmcp/#dom-modelcontext-registertool */
function registerTool(context: Context, args: readonly unknown[], resolve: Resolve, reject: Reject): void {
  const conversion = conversionFor(context.realm, 'registerTool');
  const init = dictionaries.toolInit(conversion, args[0]);
  const { exposedTo, signal } = dictionaries.registerOptions(conversion, args[1]);
  const prepare = (): (() => void) => {
    checkTool(context.realm, init, context.tools.has(init.name));
    const inputSchema = dictionaries.schemaText(conversion, init);
    if (signal && isAborted(signal)) throw reasonOf(signal);
    const tool = imperativeTool(context, init, inputSchema, originsIn(context, exposedTo, 'exposedTo'));
    return () => {
      if (signal && isAborted(signal)) throw reasonOf(signal);
      checkTool(context.realm, init, context.tools.has(init.name)); // toJSON() may have registered one
      tool.release = onAbort(signal, (reason) => {
        removeTool(context, tool);
        reject(reason);
      });
      addTool(context, tool);
      queueTask(() => resolve(undefined));
    };
  };
  whenUsable(context, { prepare, reject, signal, judge: checkDenial });
}

export function imperativeTool(
  context: Context,
  init: dictionaries.ToolInit,
  inputSchema: string,
  exposedTo: readonly string[],
): Tool {
  const { name, title, description, annotations, execute } = init;
  const callback = { name, inputSchema, execute };
  return {
    ...{ name, title, description, inputSchema, annotations, exposedTo },
    run: (input, call) => runCallback(context, callback, input, call),
  };
}

function originsIn(context: Context, urls: readonly string[], member: string): readonly string[] {
  return urls.map((url) => {
    const origin = trustworthyOrigin(url);
    if (origin !== null) return origin;
    throw domException(context, 'SecurityError', `Only secure origins are allowed in the ${member} list: "${url}".`);
  });
}

/** https://webmachinelearning.github.io/webmcp/#dom-modelcontext-gettools */
function getTools(context: Context, args: readonly unknown[], resolve: Resolve, reject: Reject): void {
  const urls = dictionaries.fromOrigins(conversionFor(context.realm, 'getTools'), args[0]);
  const prepare = (): (() => void) => {
    const origins = originsIn(context, urls, 'fromOrigins');
    return () => listTools(context, origins, resolve);
  };
  whenUsable(context, { prepare, reject });
}

function listTools(context: Context, origins: readonly string[], resolve: Resolve): void {
  const listed = activeContexts()
    .filter((owner) => owner === context || (context.realm.origin !== 'null' && isAllowed(owner)))
    .flatMap((owner) => {
      refresh(owner);
      return [...owner.tools.values()].map((tool) => registeredTool(context, owner, tool));
    });
  const foreign = others().tools(context, [context.realm.origin, ...origins]);
  const finish = (found: readonly RegisteredTool[]): void =>
    queueTask(() => resolve(sorted(context, [...listed, ...found])));
  if (foreign) void whenFound(foreign, finish);
  else finish([]);
}

async function whenFound<Found>(found: Promise<Found>, use: (found: Found) => void): Promise<void> {
  use(await found);
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
  const conversion = conversionFor(context.realm, 'executeTool');
  const reference = dictionaries.toolReference(conversion, args[0]);
  const signal = dictionaries.executeSignal(conversion, args[2]);
  const prepare = (): (() => void) => {
    const origin = targetOrigin(context, reference.origin);
    const text = dictionaries.inputText(conversion, args[1]);
    if (signal && isAborted(signal)) throw reasonOf(signal);
    return () => {
      if (signal && isAborted(signal)) throw reasonOf(signal);
      const finish = (outcome: Outcome): void =>
        queueTask(() => {
          stopListening();
          if (outcome.failed) reject(errorFor(context, outcome.error));
          else resolve(outcome.value);
        });
      const cancel = call(context, reference, origin, text, finish);
      const stopListening = onAbort(signal, (reason) => {
        reject(reason);
        cancel();
      });
    };
  };
  whenUsable(context, { prepare, reject, signal });
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

/** Calls the tool where it lives; the result cancels the call. */
function call(
  caller: Context,
  { window, name }: dictionaries.ToolReference,
  origin: string,
  input: string,
  finish: (outcome: Outcome) => void,
): () => void {
  if (isClosed(window)) throw domException(caller, 'InvalidStateError', `The window of "${name}" is gone.`);
  const target = contextIn(window);
  if (target && isActive(target) && isAllowed(target) && target.realm.origin === origin) {
    refresh(target, name);
    const mayRun = (tool: Tool): boolean => isExposed(tool, target.realm.origin, caller.realm.origin);
    return startCall({ caller, target, name, input, mayRun, finish });
  }
  const cancel = others().call(caller, { window, name, origin, input }, finish);
  if (cancel) return cancel;
  finish(failure(new Failure(`There is no tool "${name}" of ${origin} for this page.`)));
  return () => undefined;
}
