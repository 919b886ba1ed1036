import type { ProfileName } from '../../../src/compiler/index.js';
import type { FrameMessage } from './frame/messages.js';
import type { InertMarkup } from './inert-tags.js';
import { SandboxFrame } from './sandbox/sandbox-frame.js';

export interface RenderedPageOptions {
  readonly parent: HTMLElement;
  /** The bundled script of the frame. */
  readonly script: string;
  /** Whether the frame runs in a thread of its own. */
  readonly isIsolated: boolean;
  readonly onMessage: (message: FrameMessage) => void;
  /** The frame did not answer, and was removed. */
  readonly onStopped: (ranScripts: boolean) => void;
}

/** The page in the frame. Without scripts, one frame shows all versions of the page; with scripts, each has its own. */
export class RenderedPage {
  readonly #options: RenderedPageOptions;
  #frame: SandboxFrame | undefined;
  #ranScripts = false;
  #lastId = 0;

  constructor(options: RenderedPageOptions) {
    this.#options = options;
  }

  /** Shows a page, and returns the ID of the message `shown`. */
  show(markup: InertMarkup, runsScripts: boolean): number {
    if (!this.#frame || runsScripts || this.#ranScripts) this.#replaceFrame(runsScripts);
    const id = ++this.#lastId;
    this.#frame?.send({ kind: 'show', id, markup, limitsLayout: !this.#options.isIsolated });
    return id;
  }

  /** Calls a tool, and returns the ID of the messages about the call. */
  call(form: number, profile: ProfileName, input: string): number {
    const id = ++this.#lastId;
    this.#frame?.send({ kind: 'call', id, form, profile, input });
    return id;
  }

  submit(): void {
    this.#frame?.send({ kind: 'submit', id: 0 });
  }

  cancel(): void {
    this.#frame?.send({ kind: 'cancel', id: 0 });
  }

  end(): void {
    this.#frame?.remove();
    this.#frame = undefined;
  }

  #replaceFrame(runsScripts: boolean): void {
    const { parent, script, isIsolated, onMessage, onStopped } = this.#options;
    this.end();
    this.#ranScripts = runsScripts;
    this.#frame = new SandboxFrame(parent, {
      script,
      runsScripts,
      appliesStyles: isIsolated,
      title: 'Rendered form',
      onMessage,
      onStopped: () => {
        this.#frame = undefined;
        onStopped(runsScripts);
      },
    });
  }
}
