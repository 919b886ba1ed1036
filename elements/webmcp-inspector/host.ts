import type { CSSResult } from 'lit';
import type { JournalEntry } from './log/journal.js';
import type { Source } from './sources.js';
import type { InspectorStrings } from './strings.js';
import type { ToolEntry } from './tools.js';

/** The inspector as its lazily loaded views see it. */
export interface InspectorHost {
  readonly messages: InspectorStrings;
  readonly renderRoot: HTMLElement | DocumentFragment;
  readonly updateComplete: Promise<boolean>;
  /** The forms and elements of a window that can define tools. */
  readonly sourcesIn: (window: Window | undefined) => Iterable<Source>;
  readonly toolNameOf: (form: Element) => string;
  requestUpdate(): void;
  /** Adds the styles and the messages of a view. */
  extend(styles: CSSResult, strings: Partial<InspectorStrings>): void;
  /** Announces a message to screen readers, politely. */
  announce(text: string): void;
  /** The entries of the log, newest first. */
  logged(): readonly JournalEntry[];
  /** Calls a tool. `text` is the input as it is logged. */
  call(entry: ToolEntry, input: unknown, text: string): void;
}

/** A view that is loaded when it is first needed. */
export class LazyView<View> {
  /** Undefined until it is loaded. */
  view: View | undefined;
  readonly #load: () => Promise<View>;
  readonly #onLoad: () => void;
  #loading: Promise<View> | undefined;

  constructor(load: () => Promise<View>, onLoad: () => void) {
    this.#load = load;
    this.#onLoad = onLoad;
  }

  load(): Promise<View> {
    return (this.#loading ??= this.#start());
  }

  /** The view if it is loaded; starts loading it otherwise. */
  get(): View | undefined {
    void this.load();
    return this.view;
  }

  async #start(): Promise<View> {
    this.view = await this.#load();
    this.#onLoad();
    return this.view;
  }
}
