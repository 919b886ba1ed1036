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
import type { Log } from './webmcp-inspector/log/log.js';
import { hideTyping, watchVisibility } from './webmcp-inspector/page-events.js';
import { documentOf, rootsIn, sourcesIn, toolNameOf, type InspectorSource } from './webmcp-inspector/source.js';
import { listStrings, type InspectorStrings } from './webmcp-inspector/strings.js';
import { inspectorStyles } from './webmcp-inspector/styles.js';
import { matchesFilter, ToolList } from './webmcp-inspector/tool-list.js';
import { ToolWatch } from './webmcp-inspector/tool-watch.js';
import type { ToolEntry } from './webmcp-inspector/tools.js';
import type { InspectorTab } from './webmcp-inspector/view/panels.js';

export type { InspectorFinding, InspectorSource, SourceTool, ToolInspection } from './webmcp-inspector/source.js';
export { loadInspectorStrings, type InspectorStrings } from './webmcp-inspector/strings.js';
export type { InspectorTab } from './webmcp-inspector/view/panels.js';

/** The `detail` of `webmcp-inspector-select`. */
export interface InspectorSelectDetail {
  readonly name: string;
}

const maxAnnouncements = 8;

/**
 * An inspector of the page's WebMCP tools. It lists them live, and has tabs in which it calls the selected tool, shows its
 * schema, the sources of its parameters and the reasons why other controls are not parameters, lists findings and forms without
 * annotations, and logs calls. It does nothing while it is hidden.
 *
 * @tag webmcp-inspector
 * @attr {string} tool - The name of the selected tool. A single tool is selected by itself.
 * @attr {'call' | 'schema' | 'parameters' | 'findings' | 'log'} tab - The selected tab
 * @attr {boolean} hide-log - Hides the log. The last call of a tool is still shown with the tool.
 * @fires {CustomEvent<InspectorSelectDetail>} webmcp-inspector-select - The user has selected a tool.
 * @slot result - Content after the result of the last call
 * @cssprop [--webmcp-inspector-list-size] - The maximum height of the list
 * @cssprop [--webmcp-inspector-panel-size=28rem] - The maximum height of a tab's content; `none` for an inspector with a height
 * @cssprop [--webmcp-inspector-outline=--webmcp-accent] - The color of the outline around a control of the page
 * @csspart bar - The heading, the number of tools and the filter
 * @csspart filter - The text box that filters the list
 * @csspart list - The list of tools
 * @csspart tool - A tool in the list
 * @csspart details - The tabs and their content
 * @csspart tab - A tab
 * @csspart panel - The content of a tab
 * @csspart result - The outcome of the last call
 * @csspart forms - The list of forms without annotations
 * @csspart log - The log of calls and events
 * @csspart findings - The list of findings
 * @csspart outline - The outline around a control of the page
 */
export class WebmcpInspector extends LitElement {
  static override properties: PropertyDeclarations = {
    tool: { reflect: true },
    tab: { reflect: true },
    hideLog: { type: Boolean, reflect: true, attribute: 'hide-log' },
    strings: { attribute: false },
    source: { attribute: false },
  };
  static override styles: CSSResultGroup = [theme, inspectorStyles];

  /** The name of the selected tool. */
  declare tool: string;
  /** The selected tab. */
  declare tab: InspectorTab;
  declare hideLog: boolean;
  /** Messages that replace the English ones. */
  declare strings: Partial<InspectorStrings>;
  /** The tools to show instead of the tools of the page. */
  declare source: InspectorSource | undefined;

  /** @internal */
  isShown = false;
  /** @internal For lazily loaded views. */
  readonly sources = { documentOf, rootsIn, sourcesIn, toolNameOf };
  readonly #update = (): void => this.requestUpdate();
  readonly #log = new LazyView(async () => {
    const { Log } = await import('./webmcp-inspector/log/log.js');
    return new Log(this);
  }, this.#update);
  readonly #panels = new LazyView(async () => {
    const { Panels } = await import('./webmcp-inspector/view/panels.js');
    return new Panels(this);
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

  constructor() {
    super();
    this.tool = '';
    this.tab = 'call';
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
  get log(): Log | undefined {
    return this.#log.view;
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

  protected override willUpdate(): void {
    if (this.#watch.restart()) [this.#key, this.#selected, this.tool] = ['', undefined, ''];
    this.#find();
  }

  protected override render(): TemplateResult {
    const { entries, state } = this.#watch;
    const isListed = state === 'ready' && entries.length > 0;
    return html`${this.#bar()}
      <div class="tools ${entries.length > 1 ? 'many' : ''}">
        ${isListed ? this.#tools() : this.#state()}
        ${state === 'loading' ? nothing : html`<div class="detail" part="details">${this.#details()}</div>`}
      </div>
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
    return html`<div class="bar" part="bar">
      <h2>${messages.label}</h2>
      <span role="status" class="quiet">${state === 'ready' ? formatMessage(message, { shown, count }) : ''}</span>
      <label ?hidden=${count < 2 && !this.#filter}
        >${messages.filter} <input type="search" part="filter" autocomplete="off" @input=${onInput}
      /></label>
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
    const selected = this.#key;
    const list = (): TemplateResult => this.#list.render({ entries: this.#filtered(), marks, selected, messages });
    return html`${guard([entries, marks, this.#filter, selected, strings, ...this.#list.state], list)}`;
  }

  /** Finds the selected tool: by its name, preferably in this page. Without a name, finds the only tool. */
  #find(): void {
    const { entries } = this.#watch;
    if (this.#selected?.name !== this.tool) [this.#key, this.#selected] = ['', undefined];
    const named = entries.filter(({ name }) => (this.tool ? name === this.tool : entries.length === 1));
    const first = this.#key ? undefined : (named.find(({ page }) => !page) ?? named[0]);
    const found = this.#watch.get(this.#key) ?? first;
    if (found) [this.#key, this.#selected, this.tool] = [found.key, found, found.name];
  }

  #details(): unknown {
    const { tool, messages } = this;
    const { entries, version } = this.#watch;
    const entry = this.#selected;
    const isGone = entry !== undefined && !this.#watch.get(this.#key);
    const problem = isGone ? messages.gone : tool && !entry ? messages.unknown : '';
    return html`${problem ? html`<p class="say error" role="status">${formatMessage(problem, { tool })}</p>` : nothing}
    ${entries.length > 1 && entry ? html`<h2>${entry.name}</h2>` : nothing}
    ${this.#panels.get()?.render({ entries, entry, version }) ?? nothing}`;
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
