import { apply } from '../platform.js';
import type { RegisteredTool } from '../webmcp.js';
import { errorFor, Failure, startCall, type Outcome } from './calls.js';
import {
  activeContexts,
  contextBehind,
  contextIn,
  domException,
  isActive,
  type Context,
  type Tool,
} from './context.js';
import * as dictionaries from './dictionaries.js';
import { count, makeInterface, type InterfaceDefinition } from './interface.js';
import { runCallback } from './imperative.js';
import { originOf, trustworthyOrigin } from './origins.js';
import { callPeer, peerTools } from './peers.js';
import { isAllowed, whenAllowed } from './policy.js';
import { inRealm, isClosed, ownRealm, type Interfaces, type Realm } from './realm.js';
import { isAborted, listen, onAbort, reasonOf, unlisten } from './signals.js';
import { queueTask } from './tasks.js';
import { addTool, checkTool, isExposed, removeTool } from './tools.js';
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
type Attribute = Required<InterfaceDefinition>['attributes'][string];

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

/** https://html.spec.whatwg.org/multipage/webappapis.html#event-handler-idl-attributes */
function handlerAttribute(realm: Realm, type: string): Attribute {
  const known = (target: unknown): Context => {
    const context = contextBehind(target);
    if (context) return context;
    throw new realm.TypeError('Illegal invocation: this is no ModelContext.');
  };
  return {
    get() {
      return known(this).handlers.get(type)?.handler ?? null;
    },
    set(...args) {
      setHandler(known(this), type, args[0]);
    },
  };
}

function setHandler(context: Context, type: string, value: unknown): void {
  const { handlers, target } = context;
  const entry = handlers.get(type);
  if (!isObject(value)) {
    if (entry) unlisten(target, type, entry.listener);
    handlers.delete(type);
  } else if (entry) {
    entry.handler = value;
  } else {
    const listener = (event: Event): void => {
      const handler = handlers.get(type)?.handler;
      if (typeof handler === 'function' && apply(handler as () => unknown, target, [event]) === false) {
        event.preventDefault();
      }
    };
    handlers.set(type, { handler: value, listener });
    listen(target, type, listener);
  }
}

/** Runs steps if the document is active and may use tools, after asking the page that embeds it where need be. */
function whenUsable(context: Context, reject: Reject, steps: () => void): void {
  checkActive(context);
  const allowed = isAllowed(context);
  if (allowed === true) return steps();
  const judge = (answer: boolean | undefined): void => {
    try {
      checkActive(context);
      checkPolicy(context, answer);
      steps();
    } catch (error) {
      reject(error);
    }
  };
  if (allowed === false) judge(false);
  else void whenAllowed(context).then(judge);
}

export function checkActive(context: Context): void {
  if (!isActive(context)) throw domException(context, 'InvalidStateError', 'The document is not active.');
  if (isNotOriginKeyed(context.realm.window)) {
    throw domException(
      context,
      'SecurityError',
      'Tools need an origin-keyed agent cluster (Origin-Agent-Cluster: ?1).',
    );
  }
}

/** Only Chromium, which has userAgentData, keys by origin unless a page says otherwise; elsewhere false says nothing. */
const isNotOriginKeyed = (window: Window): boolean =>
  Reflect.get(window, 'originAgentCluster') === false && 'userAgentData' in window.navigator;

export function checkPolicy(context: Context, allowed: boolean | undefined): void {
  if (allowed === true) return;
  const [name, message] =
    allowed === false
      ? ['NotAllowedError', 'The permissions policy does not allow "tools" here. Give the frame allow="tools".']
      : ['NotSupportedError', 'The embedding page cannot say whether it allows "tools": it needs this script too.'];
  throw domException(context, name, message);
}

export const conversionFor = (realm: Realm, name: string): Conversion => ({ realm, operation: name });

/** https://webmachinelearning.github.io/webmcp/#dom-modelcontext-registertool */
function registerTool(context: Context, args: readonly unknown[], resolve: Resolve, reject: Reject): void {
  const conversion = conversionFor(context.realm, 'registerTool');
  const init = dictionaries.toolInit(conversion, args[0]);
  const { exposedTo, signal } = dictionaries.registerOptions(conversion, args[1]);
  whenUsable(context, reject, () => {
    checkTool(context, init);
    const inputSchema = schemaText(conversion, init);
    if (signal && isAborted(signal)) throw reasonOf(signal);
    const tool = imperativeTool(context, init, inputSchema, originsIn(context, exposedTo, 'exposedTo'));
    onAbort(signal, (reason) => {
      removeTool(context, tool);
      reject(reason);
    });
    addTool(context, tool);
    queueTask(() => resolve(undefined));
  });
}

export const schemaText = (conversion: Conversion, { inputSchema }: dictionaries.ToolInit): string =>
  inputSchema ? dictionaries.serialize(conversion, inputSchema, 'inputSchema') : '';

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
  whenUsable(context, reject, () => {
    const origins = originsIn(context, urls, 'fromOrigins');
    const listed = activeContexts()
      .filter((owner) => owner === context || (context.realm.origin !== 'null' && isAllowed(owner)))
      .flatMap((owner) => [...owner.tools.values()].map((tool) => registeredTool(context, owner, tool)));
    const others = peerTools(context, [context.realm.origin, ...origins]);
    if (!others) return queueTask(() => resolve(sorted(context, listed)));
    void others.then((found) => queueTask(() => resolve(sorted(context, [...listed, ...found]))));
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
  const conversion = conversionFor(context.realm, 'executeTool');
  const reference = dictionaries.toolReference(conversion, args[0]);
  const input = dictionaries.toolInput(conversion, args[1]);
  const signal = dictionaries.executeSignal(conversion, args[2]);
  whenUsable(context, reject, () => {
    const origin = targetOrigin(context, reference.origin);
    const text = dictionaries.serialize(conversion, input, 'The input');
    if (signal && isAborted(signal)) throw reasonOf(signal);
    const finish = (outcome: Outcome): void =>
      queueTask(() => {
        stopListening();
        if ('error' in outcome) reject(errorFor(context, outcome.error));
        else resolve(outcome.value);
      });
    const cancel = call(context, reference, origin, text, finish);
    const stopListening = onAbort(signal, (reason) => {
      reject(reason);
      cancel();
    });
  });
}

function targetOrigin(context: Context, url: string): string {
  const origin = originOf(url);
  if (origin !== null && origin !== 'null' && context.realm.origin !== 'null') return origin;
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
    const mayRun = (tool: Tool): boolean => isExposed(tool, target.realm.origin, caller.realm.origin);
    return startCall({ caller, target, name, input, mayRun, finish });
  }
  const cancel = callPeer(caller, { window, name, origin, input }, finish);
  if (cancel) return cancel;
  finish({ error: new Failure(`There is no tool "${name}" of ${origin} for this page.`) });
  return () => undefined;
}
