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
import { formatMessage } from './strings.js';
import { theme } from './theme.js';
import { LazyView } from './webmcp-inspector/lazy-view.js';
import type { JournalEntry } from './webmcp-inspector/log/journal.js';
import type { Log } from './webmcp-inspector/log/log.js';
import { hideTyping, watchVisibility } from './webmcp-inspector/page-events.js';
import { documentOf, rootsIn, sourcesIn, toolNameOf } from './webmcp-inspector/sources.js';
import { listStrings, type InspectorStrings } from './webmcp-inspector/strings.js';
import { inspectorStyles } from './webmcp-inspector/styles.js';
import { matchesFilter, ToolList } from './webmcp-inspector/tool-list.js';
import { ToolWatch } from './webmcp-inspector/tool-watch.js';
import type { ToolEntry } from './webmcp-inspector/tools.js';

export { loadInspectorStrings, type InspectorStrings } from './webmcp-inspector/strings.js';

/** The `detail` of `webmcp-inspector-select`. */
export interface InspectorSelectDetail {
  readonly name: string;
}

const maxAnnouncements = 8;

/**
 * An inspector of the page's WebMCP tools. It lists them live, shows their schemas and the sources of their descriptions,
 * runs them, logs calls, and suggests annotations for forms without any. It does nothing while it is hidden.
 *
 * @tag webmcp-inspector
 * @attr {string} tool - The name of the selected tool
 * @attr {boolean} hide-log - Hides the log. Calls from here are listed with their tool.
 * @fires {CustomEvent<InspectorSelectDetail>} webmcp-inspector-select - The user has selected a tool.
 * @cssprop [--webmcp-inspector-list-size] - The maximum height of the list
 * @cssprop [--webmcp-inspector-outline=--webmcp-accent] - The color of the outline around a control of the page
 * @csspart filter - The text box that filters the list
 * @csspart list - The list of tools
 * @csspart tool - A tool in the list
 * @csspart details - The details of the selected tool
 * @csspart forms - The list of forms without annotations
 * @csspart log - The log of calls and events
 * @csspart diagnostics - The list of diagnostics
 * @csspart outline - The outline around a control of the page
 */
export class WebmcpInspector extends LitElement {
  static override properties: PropertyDeclarations = {
    tool: { reflect: true },
    hideLog: { type: Boolean, reflect: true, attribute: 'hide-log' },
    strings: { attribute: false },
  };
  static override styles: CSSResultGroup = [theme, inspectorStyles];

  /** The name of the selected tool. */
  declare tool: string;
  declare hideLog: boolean;
  /** Messages that replace the English ones. */
  declare strings: Partial<InspectorStrings>;

  /** @internal */
  isShown = false;
  /** @internal For lazily loaded views. */
  readonly sources = { documentOf, rootsIn, sourcesIn, toolNameOf };
  readonly #update = (): void => this.requestUpdate();
  readonly #log = new LazyView(async () => {
    const { Log } = await import('./webmcp-inspector/log/log.js');
    return new Log(this);
  }, this.#update);
  readonly #toolView = new LazyView(async () => {
    const { ToolView } = await import('./webmcp-inspector/view/tool-view.js');
    return new ToolView(this);
  }, this.#update);
  readonly #diagnosticsView = new LazyView(async () => {
    const { DiagnosticsView } = await import('./webmcp-inspector/view/diagnostics-view.js');
    return new DiagnosticsView(this);
  }, this.#update);
  readonly #formsView = new LazyView(async () => {
    const { FormsView } = await import('./webmcp-inspector/forms/forms-view.js');
    return new FormsView(this);
  }, this.#update);
  readonly #watch = new ToolWatch(this, (context, signal) => {
    void this.#withLog(signal, (log) => log.followContext(context, signal));
  });
  readonly #list = new ToolList(this);
  #connection = new AbortController();
  #styles: readonly CSSResult[] = [];
  #viewStrings: Partial<InspectorStrings> = {};
  #filter = '';
  #key = '';
  #selected: ToolEntry | undefined;
  #announcements: readonly { readonly id: number; readonly text: string }[] = [];
  #lastAnnouncementId = 0;
  readonly #open = new Set(['log']);

  constructor() {
    super();
    this.tool = '';
    this.hideLog = false;
    this.strings = {};
  }

  /** @internal */
  get messages(): InspectorStrings {
    return { ...listStrings, ...this.#viewStrings, ...this.strings } as InspectorStrings;
  }

  override connectedCallback(): void {
    this.#connection.abort();
    this.#connection = new AbortController();
    this.isShown = this.checkVisibility();
    super.connectedCallback();
    const { signal } = this.#connection;
    watchVisibility(this, signal, (isShown) => this.#show(isShown));
    void this.#withLog(signal, (log) => log.followDocument(signal));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#connection.abort();
    queueMicrotask(() => this.isConnected || this.#log.view?.cancelAll());
  }

  /** @internal Announces a message in a polite live region. */
  announce(text: string): void {
    this.#announcements = [...this.#announcements, { id: ++this.#lastAnnouncementId, text }].slice(-maxAnnouncements);
    this.requestUpdate();
  }

  /** @internal */
  logged(): readonly JournalEntry[] {
    return this.#log.view?.entries ?? [];
  }

  /** @internal Calls a tool. `text` is the input as shown in the log. */
  call(entry: ToolEntry, input: unknown, text: string): void {
    this.#log.view?.call(entry, input, text);
  }

  /** @internal Adds the styles and the messages of a view. */
  extend(styles: CSSResult, strings: Partial<InspectorStrings>): void {
    this.#styles = [...new Set([...this.#styles, styles])];
    this.#viewStrings = { ...this.#viewStrings, ...strings };
    if (this.shadowRoot) adoptStyles(this.shadowRoot, [...WebmcpInspector.elementStyles, ...this.#styles]);
  }

  /** @internal */
  select(key: string): void {
    const entry = this.#watch.get(key);
    if (!entry) return;
    [this.#key, this.#selected, this.tool] = [key, entry, entry.name];
    const detail: InspectorSelectDetail = { name: entry.name };
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent('webmcp-inspector-select', { bubbles: true, composed: true, detail }));
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    hideTyping(root);
    return root;
  }

  protected override shouldUpdate(): boolean {
    return this.isShown;
  }

  protected override render(): TemplateResult {
    const { entries, state } = this.#watch;
    return html`${this.#bar()}
      ${state === 'ready' && (entries.length > 0 || this.#selected) ? this.#tools() : this.#state()}
      ${this.#formsView.get()?.render(entries) ?? nothing}
      ${this.hideLog ? nothing : this.#section('log', () => this.#logSection())}
      ${this.#section('diagnostics', () => this.#diagnosticsView.get()?.render(entries))}
      <div role="log" class="sr">
        ${repeat(
          this.#announcements,
          ({ id }) => id,
          ({ text }) => html`<p>${text}</p>`,
        )}
      </div>`;
  }

  protected override updated(): void {
    this.#list.rendered();
  }

  #show(isShown: boolean): void {
    if (this.isShown === isShown) return;
    this.isShown = isShown;
    if (!isShown) return;
    this.requestUpdate();
    this.#watch.resume();
  }

  async #withLog(signal: AbortSignal, step: (log: Log) => void): Promise<void> {
    const log = await this.#log.load();
    if (!signal.aborted) step(log);
  }

  #bar(): TemplateResult {
    const onInput = (event: Event): void => {
      this.#filter = (event.target as HTMLInputElement).value.trim().toLowerCase();
      this.requestUpdate();
    };
    const { messages } = this;
    const { state, entries } = this.#watch;
    const count = entries.length;
    const shown = this.#filtered().length;
    const message = shown < count ? messages.someTools : count === 1 ? messages.oneTool : messages.tools;
    return html`<div class="bar">
      <h2>${messages.label}</h2>
      <span role="status" class="quiet">${state === 'ready' ? formatMessage(message, { shown, count }) : ''}</span>
      <label>${messages.filter} <input type="search" part="filter" autocomplete="off" @input=${onInput} /></label>
    </div>`;
  }

  #state(): TemplateResult {
    const { state, reason } = this.#watch;
    const message = this.messages[state === 'ready' ? 'none' : state];
    return html`<p class="say" role="status">${formatMessage(message, { reason })}</p>`;
  }

  #filtered(): readonly ToolEntry[] {
    const { entries } = this.#watch;
    return this.#filter ? entries.filter((entry) => matchesFilter(entry, this.#filter)) : entries;
  }

  #tools(): TemplateResult {
    const { entries, marks } = this.#watch;
    const { strings, messages } = this;
    const selected = this.#find()?.key ?? '';
    const list = (): TemplateResult => this.#list.render({ entries: this.#filtered(), marks, selected, messages });
    return html`<div class="tools">
      ${guard([entries, marks, this.#filter, selected, strings, ...this.#list.state], list)}
      <section class="detail" part="details" aria-label=${messages.details}>${this.#details()}</section>
    </div>`;
  }

  /** The selected tool. If only the name is known, the first tool with the name, preferably of this page. */
  #find(): ToolEntry | undefined {
    if (this.#selected?.name !== this.tool) [this.#key, this.#selected] = ['', undefined];
    const named = this.#watch.entries.filter(({ name }) => name === this.tool);
    const first = named.find(({ page }) => !page) ?? named[0];
    const found = this.#watch.get(this.#key) ?? (this.#key || !this.tool ? undefined : first);
    if (found) [this.#key, this.#selected] = [found.key, found];
    return found;
  }

  #details(): unknown {
    const { tool, messages } = this;
    const found = this.#find();
    if (!tool) return html`<p class="say">${messages.choose}</p>`;
    if (!this.#selected) return html`<p class="say">${formatMessage(messages.unknown, { tool })}</p>`;
    const view = this.#toolView.get();
    return html`${
      found ? nothing : html`<p class="say error" role="status">${formatMessage(messages.gone, { tool })}</p>`
    }
    ${view ? view.render(this.#selected) : html`<p class="say">${messages.loading}</p>`}`;
  }

  #section(id: 'log' | 'diagnostics', content: () => unknown): TemplateResult {
    const onToggle = ({ currentTarget }: Event): void => {
      this.#open[(currentTarget as HTMLDetailsElement).open ? 'add' : 'delete'](id);
      this.requestUpdate();
    };
    const isOpen = this.#open.has(id);
    return html`<details class="section" ?open=${isOpen} @toggle=${onToggle}>
      <summary>${this.messages[id]}</summary>
      <div class="content" part=${id}>${isOpen ? content() : nothing}</div>
    </details>`;
  }

  #logSection(): unknown {
    const log = this.#log.view;
    if (!log?.entries.length) return html`<p class="quiet">${this.messages.nothingLogged}</p>`;
    return html`<div class="row">
        <button type="button" @click=${() => log.clear()}>${this.messages.clear}</button>
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
