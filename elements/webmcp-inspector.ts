import {
  adoptStyles,
  html,
  LitElement,
  nothing,
  type CSSResult,
  type CSSResultGroup,
  type PropertyDeclarations,
  type TemplateResult,
} from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ModelContext } from '../src/index.js';
import { say } from './strings.js';
import { theme } from './theme.js';
import { Lazy, type InspectorHost } from './webmcp-inspector/host.js';
import type { JournalEntry } from './webmcp-inspector/journal.js';
import { sourcesIn } from './webmcp-inspector/sources.js';
import { listStrings, type InspectorStrings } from './webmcp-inspector/strings.js';
import { inspectorStyles } from './webmcp-inspector/styles.js';
import { matchesFilter, ToolList } from './webmcp-inspector/tool-list.js';
import { ToolWatch } from './webmcp-inspector/tool-watch.js';
import type { ToolEntry } from './webmcp-inspector/tools.js';

export { loadInspectorStrings, type InspectorStrings } from './webmcp-inspector/strings.js';

/** What `webmcp-inspector-select` says. */
export interface InspectorSelectDetail {
  readonly name: string;
}

const mostAnnounced = 8;

/** Keys that a page may have shortcuts for even where a person types. */
const pageKeys = /^(Escape|Tab|F\d+|Alt|Control|Meta|Shift)$/;

/** Typing here is not the page's. */
function keepToSelf(event: Event): void {
  const { key = '', ctrlKey, altKey, metaKey } = event as Partial<KeyboardEvent>;
  if (!ctrlKey && !altKey && !metaKey && !pageKeys.test(key)) event.stopPropagation();
}

const isVisible = (element: Element): boolean =>
  typeof element.checkVisibility === 'function' ? element.checkVisibility() : element.getClientRects().length > 0;

/**
 * An inspector of the page's WebMCP tools: lists them live, says what each takes and where its words come from, runs them,
 * and logs calls. It shows and does nothing while it is hidden, and leaves nothing behind when it is removed.
 *
 * @tag webmcp-inspector
 * @attr {string} tool - The name of the chosen tool
 * @attr {boolean} hide-log - Shows no log; calls from here are listed with their tool
 * @fires {CustomEvent<InspectorSelectDetail>} webmcp-inspector-select - The person has chosen a tool
 * @cssprop [--webmcp-inspector-list-size] - How high the list gets before it scrolls
 * @cssprop [--webmcp-inspector-outline=--webmcp-accent] - The color of the outline around a control of the page
 * @csspart filter - The text box that filters the list
 * @csspart list - The list of tools
 * @csspart tool - A tool in the list
 * @csspart details - What is said of the chosen tool
 * @csspart log - The log of calls and events
 * @csspart diagnostics - The list of diagnostics
 * @csspart outline - The outline around a control of the page
 */
export class WebmcpInspector extends LitElement implements InspectorHost {
  static override properties: PropertyDeclarations = {
    tool: { reflect: true },
    hideLog: { type: Boolean, reflect: true, attribute: 'hide-log' },
    strings: { attribute: false },
  };
  static override styles: CSSResultGroup = [theme, inspectorStyles];

  /** The name of the chosen tool. */
  declare tool: string;
  declare hideLog: boolean;
  /** Sentences in place of the English ones. */
  declare strings: Partial<InspectorStrings>;

  /** @internal */
  isShown = false;
  /** @internal */
  readonly sourcesIn = sourcesIn;
  readonly #update = (): void => this.requestUpdate();
  readonly #log = new Lazy(async () => {
    const { Log } = await import('./webmcp-inspector/log.js');
    return new Log(this);
  }, this.#update);
  readonly #toolView = new Lazy(async () => {
    const { ToolView } = await import('./webmcp-inspector/tool-view.js');
    return new ToolView(this);
  }, this.#update);
  readonly #diagnosticsView = new Lazy(async () => {
    const { DiagnosticsView } = await import('./webmcp-inspector/diagnostics-view.js');
    return new DiagnosticsView(this);
  }, this.#update);
  readonly #watch = new ToolWatch(this, (context, signal) => void this.#follow(context, signal));
  readonly #list = new ToolList(this);
  #life = new AbortController();
  #styles: readonly CSSResult[] = [];
  #loaded: Partial<InspectorStrings> = {};
  #filter = '';
  #key = '';
  #chosen: ToolEntry | undefined;
  #announced: readonly { readonly id: number; readonly text: string }[] = [];
  #lastAnnounced = 0;
  readonly #open = new Set(['log']);

  constructor() {
    super();
    this.tool = '';
    this.hideLog = false;
    this.strings = {};
  }

  /** @internal */
  get sentences(): InspectorStrings {
    return { ...listStrings, ...this.#loaded, ...this.strings } as InspectorStrings;
  }

  override connectedCallback(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.isShown = isVisible(this);
    super.connectedCallback();
    this.#observe(this.#life.signal);
    void this.#followDocument(this.#life.signal);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#life.abort();
    queueMicrotask(() => this.isConnected || this.#log.part?.cancelAll());
  }

  /** @internal */
  announce(text: string): void {
    this.#announced = [...this.#announced, { id: ++this.#lastAnnounced, text }].slice(-mostAnnounced);
    this.requestUpdate();
  }

  /** @internal */
  logged(): readonly JournalEntry[] {
    return this.#log.part?.entries ?? [];
  }

  /** @internal */
  call(entry: ToolEntry, input: unknown, text: string): void {
    this.#log.part?.call(entry, input, text);
  }

  /** @internal */
  extend(styles: CSSResult, strings: Partial<InspectorStrings>): void {
    this.#styles = [...new Set([...this.#styles, styles])];
    this.#loaded = { ...this.#loaded, ...strings };
    if (this.shadowRoot) adoptStyles(this.shadowRoot, [...WebmcpInspector.elementStyles, ...this.#styles]);
  }

  /** @internal */
  select(key: string): void {
    const entry = this.#watch.get(key);
    if (!entry) return;
    [this.#key, this.#chosen, this.tool] = [key, entry, entry.name];
    const detail: InspectorSelectDetail = { name: entry.name };
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent('webmcp-inspector-select', { bubbles: true, composed: true, detail }));
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    for (const type of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input'])
      root.addEventListener(type, keepToSelf);
    return root;
  }

  protected override shouldUpdate(): boolean {
    return this.isShown;
  }

  protected override render(): TemplateResult {
    const { entries, state } = this.#watch;
    return html`${this.#bar()}
      ${state === 'ready' && (entries.length > 0 || this.#chosen) ? this.#tools() : this.#state()}
      ${this.hideLog ? nothing : this.#section('log', () => this.#logSection())}
      ${this.#section('diagnostics', () => this.#diagnosticsView.get()?.render(entries))}
      <div role="log" class="sr">
        ${repeat(
          this.#announced,
          ({ id }) => id,
          ({ text }) => html`<p>${text}</p>`,
        )}
      </div>`;
  }

  protected override updated(): void {
    this.#list.rendered();
  }

  /** Whether anybody can see it: outside a closed details or a closed drawer. */
  #observe(signal: AbortSignal): void {
    // Not at once: what is rendered while sizes are observed can change them, which the page is told of as an error.
    const look = (): void => void setTimeout(() => signal.aborted || this.#show(isVisible(this)));
    const observers = [new IntersectionObserver(look), new ResizeObserver(look)];
    for (const observer of observers) observer.observe(this);
    signal.addEventListener('abort', () => observers.forEach((observer) => observer.disconnect()), { once: true });
  }

  #show(isShown: boolean): void {
    if (this.isShown === isShown) return;
    this.isShown = isShown;
    if (!isShown) return;
    this.requestUpdate();
    this.#watch.resume();
  }

  async #follow(context: ModelContext, signal: AbortSignal): Promise<void> {
    const log = await this.#log.load();
    if (!signal.aborted) log.followContext(context, signal);
  }

  async #followDocument(signal: AbortSignal): Promise<void> {
    const log = await this.#log.load();
    if (!signal.aborted) log.followDocument(signal);
  }

  #bar(): TemplateResult {
    const onInput = (event: Event): void => {
      this.#filter = (event.target as HTMLInputElement).value.trim().toLowerCase();
      this.requestUpdate();
    };
    const words = this.sentences;
    const count = this.#watch.entries.length;
    const shown = this.#filtered().length;
    const said = say(shown < count ? words.someTools : count === 1 ? words.oneTool : words.tools, { shown, count });
    return html`<div class="bar">
      <h2>${words.label}</h2>
      <span role="status" class="quiet">${this.#watch.state === 'ready' ? said : ''}</span>
      <label>${words.filter} <input type="search" part="filter" autocomplete="off" @input=${onInput} /></label>
    </div>`;
  }

  #state(): TemplateResult {
    const { state, reason } = this.#watch;
    const sentence = this.sentences[state === 'ready' ? 'none' : state];
    return html`<p class="say" role="status">${say(sentence, { reason })}</p>`;
  }

  #filtered(): readonly ToolEntry[] {
    const { entries } = this.#watch;
    return this.#filter ? entries.filter((entry) => matchesFilter(entry, this.#filter)) : entries;
  }

  #tools(): TemplateResult {
    const { entries, marks } = this.#watch;
    const { strings } = this;
    const selected = this.#find()?.key ?? '';
    const list = (): TemplateResult =>
      this.#list.render({ entries: this.#filtered(), marks, selected, strings: this.sentences });
    return html`<div class="tools">
      ${guard([entries, marks, this.#filter, selected, strings, ...this.#list.state], list)}
      <section class="detail" part="details" aria-label=${this.sentences.details}>${this.#details()}</section>
    </div>`;
  }

  /** The chosen tool, by its window too if it was chosen here. */
  #find(): ToolEntry | undefined {
    if (this.#chosen?.name !== this.tool) [this.#key, this.#chosen] = ['', undefined];
    const { entries } = this.#watch;
    const named = (): ToolEntry[] => entries.filter(({ name }) => name === this.tool);
    const [first] = this.#key || !this.tool ? [] : named().sort((a, b) => Number(!!a.page) - Number(!!b.page));
    const found = this.#watch.get(this.#key) ?? first;
    if (found) [this.#key, this.#chosen] = [found.key, found];
    return found;
  }

  #details(): unknown {
    const { tool, sentences } = this;
    const found = this.#find();
    if (!tool) return html`<p class="say">${sentences.choose}</p>`;
    if (!this.#chosen) return html`<p class="say">${say(sentences.unknown, { tool })}</p>`;
    const gone = found ? nothing : html`<p class="say error" role="status">${say(sentences.gone, { tool })}</p>`;
    return html`${gone} ${this.#toolView.get()?.render(this.#chosen) ?? html`<p class="say">${sentences.loading}</p>`}`;
  }

  #section(id: 'log' | 'diagnostics', content: () => unknown): TemplateResult {
    const onToggle = ({ currentTarget }: Event): void => {
      this.#open[(currentTarget as HTMLDetailsElement).open ? 'add' : 'delete'](id);
      this.requestUpdate();
    };
    const isOpen = this.#open.has(id);
    return html`<details class="section" ?open=${isOpen} @toggle=${onToggle}>
      <summary>${this.sentences[id]}</summary>
      <div class="content" part=${id}>${isOpen ? content() : nothing}</div>
    </details>`;
  }

  #logSection(): unknown {
    const log = this.#log.part;
    if (!log?.entries.length) return html`<p class="quiet">${this.sentences.nothingLogged}</p>`;
    return html`<div class="row">
        <button type="button" @click=${() => log.clear()}>${this.sentences.clear}</button>
      </div>
      ${log.render()}`;
  }
}

if (!customElements.get('webmcp-inspector')) customElements.define('webmcp-inspector', WebmcpInspector);

declare global {
  interface HTMLElementTagNameMap {
    'webmcp-inspector': WebmcpInspector;
  }

  interface HTMLElementEventMap {
    'webmcp-inspector-select': CustomEvent<InspectorSelectDetail>;
  }
}
