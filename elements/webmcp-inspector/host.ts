import type { CSSResult } from 'lit';
import type { JournalEntry } from './log/journal.js';
import type { Source } from './sources.js';
import type { InspectorStrings } from './strings.js';
import type { ToolEntry } from './tools.js';

/** Reads the pages that tools come from. */
export interface Sources {
  /** The document of a window; undefined for other origins. */
  readonly documentOf: (window: Window | undefined) => Document | undefined;
  /** A root and the open shadow trees in it. */
  readonly rootsIn: (root: Document | ShadowRoot) => Iterable<Document | ShadowRoot>;
  /** The forms and elements of a window that can define tools. */
  readonly sourcesIn: (window: Window | undefined) => Iterable<Source>;
  readonly toolNameOf: (form: Element) => string;
}

/** The inspector as its lazily loaded views see it. */
export interface InspectorHost {
  readonly messages: InspectorStrings;
  readonly isShown: boolean;
  readonly isConnected: boolean;
  readonly renderRoot: HTMLElement | DocumentFragment;
  readonly updateComplete: Promise<boolean>;
  readonly sources: Sources;
  requestUpdate(): void;
  /** Adds the styles and the messages of a view. */
  extend(styles: CSSResult, strings: Partial<InspectorStrings>): void;
  /** Announces a message in a polite live region. */
  announce(text: string): void;
  logged(): readonly JournalEntry[];
  /** Calls a tool. `text` is the input as shown in the log. */
  call(entry: ToolEntry, input: unknown, text: string): void;
}

/** A lazily loaded view. */
export class LazyView<View> {
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

  /** Returns the view, or starts loading it. */
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
