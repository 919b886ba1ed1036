import type { CSSResult } from 'lit';
import type { JournalEntry } from './journal.js';
import type { Source } from './sources.js';
import type { InspectorStrings } from './strings.js';
import type { ToolEntry } from './tools.js';

/** What the parts of the inspector that are loaded later need of it. */
export interface InspectorHost {
  readonly sentences: InspectorStrings;
  readonly renderRoot: HTMLElement | DocumentFragment;
  readonly updateComplete: Promise<boolean>;
  /** What the tools of a window can be made of. */
  readonly sourcesIn: (window: Window | undefined) => Iterable<Source>;
  requestUpdate(): void;
  /** Adds the looks and the sentences of what is loaded later. */
  extend(styles: CSSResult, strings: Partial<InspectorStrings>): void;
  /** Tells a screen reader, politely. */
  announce(text: string): void;
  /** The lines of the log, newest first. */
  logged(): readonly JournalEntry[];
  /** Calls a tool. `text` is the input as it is logged. */
  call(entry: ToolEntry, input: unknown, text: string): void;
}

/** A part that is loaded when it is wanted first, and says when it is there. */
export class Lazy<Part> {
  /** Undefined until it is loaded. */
  part: Part | undefined;
  readonly #load: () => Promise<Part>;
  readonly #ready: () => void;
  #loaded: Promise<Part> | undefined;

  constructor(load: () => Promise<Part>, ready: () => void) {
    this.#load = load;
    this.#ready = ready;
  }

  load(): Promise<Part> {
    return (this.#loaded ??= this.#get());
  }

  /** The part if it is there; else it is loaded. */
  get(): Part | undefined {
    void this.load();
    return this.part;
  }

  async #get(): Promise<Part> {
    this.part = await this.#load();
    this.#ready();
    return this.part;
  }
}
