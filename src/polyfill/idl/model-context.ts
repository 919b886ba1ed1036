import { onAbort } from '../../platform/signals.js';
import { queueTask } from '../../platform/tasks.js';
import { isActive } from '../frames/context.js';
import { originsOf } from '../frames/origins.js';
import { whenAllowed } from '../frames/policy.js';
import type { Interfaces, Realm } from '../frames/realm.js';
import {
  refresh,
  type Context,
  type PolyfillState,
  type Reject,
  type Resolve,
  type OperationSteps,
  type Tool,
} from '../state.js';
import { addTool, checkTool, removeTool } from '../tools.js';
import * as dictionaries from './dictionaries.js';
import { addEventListener, handlerAttribute } from './events.js';
import { argumentsMissing, makeInterface, type Operation } from './web-idl.js';

/** https://webmachinelearning.github.io/webmcp/#model-context-container */
export function modelContextInterface(state: PolyfillState, realm: Realm): Interfaces['ModelContext'] {
  const contextBehind = (target: unknown): Context => {
    const context = state.contexts.byTarget.get(target as object);
    if (context) return context;
    throw new realm.TypeError('Illegal invocation: this is not a ModelContext.');
  };
  /** An operation that returns a promise, which rejects if the steps throw. */
  const operation = (length: number, steps: OperationSteps): Operation => ({
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
  /** An operation of the agent script. */
  const agentOperation = (length: number, name: 'getTools' | 'executeTool'): Operation =>
    operation(length, (context, args, resolve, reject) =>
      state.withAgent((agent) => agent[name](context, args, resolve, reject), reject),
    );
  return makeInterface(realm, {
    name: 'ModelContext',
    parent: realm.EventTarget,
    operations: {
      registerTool: operation(1, registerTool),
      getTools: agentOperation(0, 'getTools'),
      executeTool: agentOperation(1, 'executeTool'),
      addEventListener: addEventListener(realm, state),
    },
    attributes: {
      ontoolchange: handlerAttribute('toolchange', contextBehind),
      ontoolactivated: handlerAttribute('toolactivated', contextBehind),
      ontoolcancel: handlerAttribute('toolcancel', contextBehind),
    },
  });
}

/** https://webmachinelearning.github.io/webmcp/#dom-modelcontext-registertool */
function registerTool(context: Context, args: readonly unknown[], resolve: Resolve, reject: Reject): void {
  const conversion = { realm: context.realm, operation: 'registerTool' };
  const init = dictionaries.toolInit(conversion, args[0]);
  const { exposedTo, signal } = dictionaries.registerOptions(conversion, args[1]);
  refresh(context, ''); // reads the names of forms
  const check = (): void => checkTool(context.realm, init, context.tools.has(init.name));
  const prepare = (): (() => void) => {
    check();
    const inputSchema = dictionaries.schemaText(conversion, init);
    signal?.throwIfAborted();
    const tool: Tool = { ...init, inputSchema, exposedTo: originsOf(context, exposedTo, 'exposedTo') };
    return () => {
      signal?.throwIfAborted();
      check(); // checked again, because toJSON() may have registered a tool
      tool.release = onAbort(signal, (reason) => {
        removeTool(context, tool);
        reject(reason);
      });
      addTool(context, tool);
      queueTask(() => resolve(undefined));
    };
  };
  whenAllowed(context, { prepare, reject, signal, mayBeUnknown: true });
}
