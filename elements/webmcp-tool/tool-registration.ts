import type { ElementDiagnostic } from '../diagnostic.js';
import type { ModelContextTool, ToolExecuteCallback } from '../../src/index.js';
import { missingContext, modelContextOf, whenModelContext } from './model-context.js';
import { bare } from './page.js';
import { error } from './problems.js';

type Tell = (problem: ElementDiagnostic | undefined) => void;

/** Keeps one tool registered as it is defined now, at `document.modelContext`. */
export class ToolRegistration {
  readonly #tell: Tell;
  #controller: AbortController | undefined;
  #document: Document | undefined;
  #text = '';
  #execute: ToolExecuteCallback = () => undefined;

  /** @param tell - is told what keeps the tool from being registered, and undefined when that is over */
  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** Registers a tool; anew only if something else than what it executes differs. */
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
    void this.#register(bare({ ...definition, execute: latest }), document, this.#controller.signal);
  }

  /** Unregisters the tool. Calls that run go on. */
  stop(): void {
    this.#controller?.abort();
    this.#controller = undefined;
    this.#tell(undefined);
  }

  async #register(tool: ModelContextTool, document: Document, signal: AbortSignal): Promise<void> {
    const context = modelContextOf(document);
    if (!context) return this.#wait(tool, document, signal);
    for (let tries = 0; !signal.aborted; tries++) {
      try {
        await context.registerTool(tool, bare({ signal }));
        return this.#say(signal, undefined);
      } catch (cause) {
        const problem = problemOf(tool, cause);
        if (tries > 0 || problem.code !== 'duplicate-tool-name') this.#say(signal, problem);
        await changed(context, signal, tries === 0);
      }
    }
  }

  #wait(tool: ModelContextTool, document: Document, signal: AbortSignal): void {
    missingContext(document, signal, (problem) => this.#say(signal, problem));
    whenModelContext(document, signal, () => void this.#register(tool, document, signal));
  }

  #say(signal: AbortSignal, problem: ElementDiagnostic | undefined): void {
    if (!signal.aborted) this.#tell(problem);
  }
}

const taken = 'Another tool of the page has this name, so this is none until that goes: rename one of them.';

function problemOf({ name: tool }: ModelContextTool, cause: unknown): ElementDiagnostic {
  const { name, message = String(cause) } = (cause ?? {}) as Partial<Error>;
  if (name === 'InvalidStateError') return error('duplicate-tool-name', taken, { tool });
  return error('registration-failed', `The browser refused the tool: ${message}`, { tool });
}

/** Resolves when a name may have become free, or the signal aborts; the first time in a moment: names may be changing hands. */
async function changed(context: EventTarget, signal: AbortSignal, isFirst: boolean): Promise<void> {
  const either = new AbortController();
  await new Promise<unknown>((resolve) => {
    context.addEventListener('toolchange', resolve, { once: true, signal: either.signal });
    signal.addEventListener('abort', resolve, { once: true, signal: either.signal });
    if (isFirst) setTimeout(resolve);
  });
  either.abort();
}
