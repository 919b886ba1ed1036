import { onAbort } from '../../platform/signals.js';
import { queueTask } from '../../platform/tasks.js';
import { contextIn, domException, isActive } from '../frames/context.js';
import { originOf } from '../frames/origins.js';
import { isAllowed, whenAllowed } from '../frames/policy.js';
import { isClosed } from '../frames/realm.js';
import { refresh, type Context, type OperationSteps, type Tool } from '../state.js';
import type { Agent } from './agent.js';
import { isExposed, startCall } from './calls.js';
import * as dictionaries from './dictionaries.js';
import { errorFor, failure, Failure, type Outcome } from './outcome.js';

/** https://webmachinelearning.github.io/webmcp/#dom-modelcontext-executetool */
export const executeTool =
  (agent: Agent): OperationSteps =>
  (context, args, resolve, reject) => {
    const conversion = { realm: context.realm, operation: 'executeTool' };
    const reference = dictionaries.toolReference(conversion, args[0]);
    const signal = dictionaries.executeSignal(conversion, args[2]);
    const prepare = (): (() => void) => {
      const origin = targetOrigin(context, reference.origin);
      const input = dictionaries.inputText(conversion, args[1]);
      signal?.throwIfAborted();
      return () => {
        signal?.throwIfAborted();
        const finish = (outcome: Outcome): void =>
          queueTask(() => {
            stopListening();
            if (outcome.failed) reject(errorFor(context, outcome.error));
            else resolve(outcome.value);
          });
        const cancel = callTool(agent, context, { ...reference, origin }, input, finish);
        const stopListening = onAbort(signal, (reason) => {
          reject(reason);
          cancel();
        });
      };
    };
    whenAllowed(context, { prepare, reject, signal });
  };

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
  agent: Agent,
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
    return startCall(agent, { caller, target, name, input, mayRun, finish });
  }
  const cancel = agent.crossOrigin?.startCall(caller, reference, input, finish);
  if (cancel) return cancel;
  finish(failure(new Failure(`The tool "${name}" of ${origin} is not available to this page.`)));
  return () => undefined;
}
