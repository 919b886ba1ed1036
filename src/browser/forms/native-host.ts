import { SafeMap } from '../../platform/collections.js';
import type { HostedTool, ModelContext, RunTool, ToolHost } from '../../webmcp.js';
import type { CallException } from '../execution/call-error.js';

/**
 * Registers tools by `registerTool`, where there is no port: with the browser's own model context.
 *
 * It loses the reason why a tool fails, so the errors of a call are its result there: `{ isError, message, errors }`.
 */
export function nativeHost(context: ModelContext): ToolHost {
  const controllers = new SafeMap<string, AbortController>();
  const run = new SafeMap<string, RunTool>();
  const host: ToolHost = {
    add(definition, runTool) {
      if (controllers.has(definition.name)) return false;
      const controller = new AbortController();
      controllers.set(definition.name, controller);
      run.set(definition.name, runTool);
      void register(context, definition, runTool, controller);
      return true;
    },
    update(name, definition) {
      const runTool = run.get(name);
      if (!runTool || (definition.name !== name && controllers.has(definition.name))) return false;
      host.remove(name);
      return host.add(definition, runTool);
    },
    remove(name) {
      controllers.get(name)?.abort();
      controllers.delete(name);
      run.delete(name);
    },
    onBeforeRead: () => undefined,
  };
  return host;
}

/** The browser says only later that a name is taken: by a tool that is just going, or by one that stays. */
async function register(
  context: ModelContext,
  definition: HostedTool,
  run: RunTool,
  { signal }: AbortController,
): Promise<void> {
  const { annotations, ...tool } = definition;
  const description = tool.description || tool.title || tool.name; // the browser refuses an empty one
  const execute = (input: object, options?: { readonly signal?: AbortSignal }): Promise<unknown> =>
    answer(run, input, options?.signal ?? signal);
  while (!signal.aborted) {
    try {
      return void (await context.registerTool(
        { ...tool, description, ...(annotations && { annotations }), execute },
        { signal },
      ));
    } catch {
      await freed(context, signal);
    }
  }
}

/** Resolves when a name may have become free, or the signal aborts. */
async function freed(context: ModelContext, signal: AbortSignal): Promise<void> {
  const either = new AbortController();
  await new Promise<unknown>((resolve) => {
    context.addEventListener('toolchange', resolve, { once: true, signal: either.signal });
    signal.addEventListener('abort', resolve, { once: true, signal: either.signal });
  });
  either.abort();
}

const nothing = (): undefined => undefined;

async function answer(run: RunTool, input: object, signal: AbortSignal): Promise<unknown> {
  try {
    return await run(input, { signal, activated: nothing, canceled: nothing, leaves: nothing });
  } catch (error) {
    if (signal.aborted) throw error;
    const { message, errors = [] } = error as Partial<CallException>;
    return { isError: true, message, errors };
  }
}
