import type { ElementDiagnostic } from '../diagnostic.js';
import type { ModelContextTool, ToolExecuteCallback } from '../../src/index.js';
import { error } from './diagnostics.js';
import { withoutPrototype } from './element-base.js';
import { modelContextOf } from '../../src/platform/model-context.js';
import { isPolyfilled, reportMissingContext, whenModelContext } from './model-context.js';

type OnDiagnostic = (diagnostic: ElementDiagnostic | undefined) => void;

/** One tool, registered at `document.modelContext` with its latest definition. */
export class ToolRegistration {
  readonly #onDiagnostic: OnDiagnostic;
  #controller: AbortController | undefined;
  #document: Document | undefined;
  #text = '';
  #execute: ToolExecuteCallback = () => undefined;

  /**
   * @param onDiagnostic - is called with the reason why the tool is not registered, or undefined when the reason is
   * gone
   */
  constructor(onDiagnostic: OnDiagnostic) {
    this.#onDiagnostic = onDiagnostic;
  }

  /** Registers a tool. It stays registered if only `execute` differs. */
  set(tool: ModelContextTool, document: Document): void {
    const { execute, ...definition } = tool;
    const text = JSON.stringify(definition);
    this.#execute = execute;
    if (this.#controller && text === this.#text && document === this.#document) return;
    this.#controller?.abort();
    this.#text = text;
    this.#document = document;
    this.#controller = new AbortController();
    const latest: ToolExecuteCallback = (input, options) => this.#execute(input, options);
    void this.#register(withoutPrototype({ ...definition, execute: latest }), document, this.#controller.signal);
  }

  /** Unregisters the tool. Running calls continue. */
  stop(): void {
    this.#controller?.abort();
    this.#controller = undefined;
    this.#onDiagnostic(undefined);
  }

  async #register(tool: ModelContextTool, document: Document, signal: AbortSignal): Promise<void> {
    const report = (diagnostic: ElementDiagnostic | undefined): void => {
      if (!signal.aborted) this.#onDiagnostic(diagnostic);
    };
    const context = modelContextOf(document.defaultView);
    if (!context) {
      reportMissingContext(document, signal, report);
      return whenModelContext(document, signal, () => void this.#register(tool, document, signal));
    }
    // Browsers register annotated forms in a task after parsing. The first tool with a name keeps it.
    if (document.readyState !== 'complete' && !isPolyfilled(document)) await nextTask();
    for (let tries = 0; !signal.aborted; tries++) {
      try {
        await context.registerTool(tool, withoutPrototype({ signal }));
        return report(undefined);
      } catch (cause) {
        const diagnostic = diagnosticOf(tool, cause);
        if (tries > 0 || diagnostic.code !== 'duplicate-tool-name') report(diagnostic);
        await toolChange(context, signal, tries === 0);
      }
    }
  }
}

function diagnosticOf({ name: tool }: ModelContextTool, cause: unknown): ElementDiagnostic {
  const { name, message = String(cause) } = (cause ?? {}) as Partial<Error>;
  if (name !== 'InvalidStateError')
    return error('registration-failed', `The browser refused the tool: ${message}`, { tool });
  return error('duplicate-tool-name', 'Another tool of the page has this name. Rename or remove one of them.', {
    tool,
  });
}

/** Resolves in the next task. Unlike timers, messages are not throttled in hidden pages. */
const nextTask = (): Promise<unknown> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(0);
  });

/**
 * Resolves when a name may be free, or the signal aborts. With `isFirst`, resolves in the next task at the latest,
 * because two elements may be swapping names.
 */
async function toolChange(context: EventTarget, signal: AbortSignal, isFirst: boolean): Promise<void> {
  const done = new AbortController();
  await new Promise<unknown>((resolve) => {
    context.addEventListener('toolchange', resolve, { once: true, signal: done.signal });
    signal.addEventListener('abort', resolve, { once: true, signal: done.signal });
    if (isFirst) setTimeout(resolve);
  });
  done.abort();
}

/** Browsers discard the reason of a failed call, so with native WebMCP the failure is returned as the result. */
export async function answerOf(
  document: Document,
  signal: AbortSignal | undefined,
  call: Promise<unknown>,
): Promise<unknown> {
  try {
    return await call;
  } catch (reason) {
    if (signal?.aborted || isPolyfilled(document)) throw reason;
    return failureOf(reason);
  }
}

/** Errors of webtools have all of these members. */
type Reason = Partial<Error & Readonly<Record<'code' | 'parameters', unknown>>>;

function failureOf(reason: unknown): object {
  const { name = 'Error', message = String(reason), code, parameters = [] } = (reason ?? {}) as Reason;
  return { isError: true, name, message, ...(typeof code === 'string' && { code }), errors: parameters };
}
