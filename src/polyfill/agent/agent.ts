import { SafeMap, SafeSet } from '../../platform/collections.js';
import { apply } from '../../platform/primordials.js';
import { startInterval, stopTimer, type Timer } from '../../platform/timers.js';
import type { ModelContext, RegisteredTool } from '../../webmcp.js';
import { activeContexts, isActive } from '../frames/context.js';
import { isAllowed } from '../frames/policy.js';
import type { Realm } from '../frames/realm.js';
import type { Context, GuardedOperation, PolyfillState } from '../state.js';
import { endCalls, endOrphanedCalls, stopWatching, type Call } from './calls.js';
import { Connection } from './cross-origin/tools.js';
import { executeTool } from './execute-tool.js';
import { getTools, localTools } from './get-tools.js';
import { whenAllowed } from './permission.js';
import { policyOf } from './policy.js';

/** Serves agents, in the windows of a polyfill and across origins. Created when the agent script has been loaded. */
export class Agent {
  readonly polyfill: PolyfillState;
  readonly calls = new SafeSet<Call>();
  callTimer: Timer | undefined;
  readonly policyRequests = new SafeMap<Document, { readonly finished: Promise<void>; readonly finish: () => void }>();
  /** The connection to the other copies of this script in the frame tree, mostly of other origins. Undefined after `end()`. */
  crossOrigin: Connection | undefined;
  readonly getTools = getTools(this);
  readonly executeTool = executeTool(this);
  /** Answers Chrome DevTools MCP. */
  readonly discover = answerDiscovery;

  /** @param isServed - whether this polyfill serves a window */
  constructor(polyfill: PolyfillState, isServed: (window: Window) => boolean) {
    this.polyfill = polyfill;
    const connection = (this.crossOrigin = new Connection(this, isServed));
    // Tools that were registered before this script was loaded may be missing in the lists of other pages.
    for (const { tools } of activeContexts(polyfill))
      for (const { exposedTo } of tools.values()) connection.notify(exposedTo);
    for (const { window } of polyfill.installations.keys()) connection.serve(window);
    if (polyfill.installations.size === 0) this.end();
  }

  /** Whether the frames around a window allow tools; undefined if only an embedding page of another origin knows. */
  policyOf(window: Window): boolean | undefined {
    return policyOf(this.polyfill.policies, window);
  }

  /** Runs an operation if its document may use tools. If only the embedding page knows the policy, requests it first. */
  whenAllowed(context: Context, operation: GuardedOperation): void {
    whenAllowed(this, context, operation);
  }

  /** Ends the calls from and to unloaded documents. */
  endOrphanedCalls(): void {
    endOrphanedCalls(this);
  }

  /** Cancels the calls of the tools of a realm, or all calls. */
  endCalls(realm?: Realm): void {
    endCalls(this, realm);
  }

  end(): void {
    this.endCalls();
    stopWatching(this);
    this.crossOrigin?.end();
    this.crossOrigin = undefined;
    for (const { finish } of [...this.policyRequests.values()]) finish();
  }
}

const checkIntervalMs = 100;

/**
 * Runs steps, unless the document is inactive. Returns a promise that settles with the steps, or resolves when the document
 * becomes inactive. Returns undefined if the document is inactive, or if the steps return no promise or `loading`.
 */
export function waitFor(
  context: Context,
  steps: () => Promise<void> | void,
  loading: Promise<void> | undefined,
): Promise<void> | undefined {
  const pending = isActive(context) ? steps() : undefined;
  return pending && pending !== loading ? untilInactive(context, pending) : undefined;
}

/** Polls, because a frame may be removed without a pagehide event (see calls.ts). */
async function untilInactive(context: Context, pending: Promise<void>): Promise<void> {
  let check: Timer | undefined;
  const inactive = new Promise<void>((resolve) => {
    check = startInterval(checkIntervalMs, () => isActive(context) || resolve());
  });
  try {
    await Promise.race([inactive, pending]);
  } catch (error) {
    if (isActive(context)) throw error;
  } finally {
    stopTimer(check);
  }
}

interface DevtoolsTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly execute: (input?: object) => Promise<string | null>;
}

/**
 * Answers the event that Chrome DevTools MCP dispatches to find the tools of a page. Chrome DevTools MCP reads the answer
 * synchronously.
 * https://github.com/ChromeDevTools/chrome-devtools-mcp
 */
function answerDiscovery(event: Event, context: Context): void {
  const respondWith: unknown = Reflect.get(event, 'respondWith');
  if (typeof respondWith !== 'function' || !isAllowed(context.state, context.document)) return;
  const tools = localTools(context).map((tool) => devtoolsTool(context, tool));
  if (tools.length === 0) return;
  apply(respondWith as () => unknown, event, [{ name: 'WebMCP', description: 'The WebMCP tools of the page.', tools }]);
}

const devtoolsTool = ({ target, realm }: Context, tool: RegisteredTool): DevtoolsTool => ({
  name: tool.name,
  description: tool.description,
  inputSchema: withoutFormats(realm, tool.inputSchema ?? {}),
  execute: (input = {}) => (target as ModelContext).executeTool(tool, input),
});

/** Chrome DevTools MCP validates with an Ajv that rejects schemas with a `format`. */
const withoutFormats = ({ parse, stringify }: Realm, schema: object): object =>
  parse(stringify(schema) as string, (key, value) =>
    key === 'format' && typeof value === 'string' ? undefined : value,
  ) as object;
