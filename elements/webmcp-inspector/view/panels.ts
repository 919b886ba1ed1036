import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import { LazyView } from '../lazy-view.js';
import { InspectorView, type Panel, type PanelModel } from './inspector-view.js';
import { viewStrings } from './view-strings.js';
import { viewStyles } from './view-styles.js';

/** A tab of the inspector. */
export type InspectorTab = 'call' | 'schema' | 'parameters' | 'findings' | 'log';

/** The tabs with information about the selected tool and the page. https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
export class Panels extends InspectorView {
  readonly #panels: Readonly<Record<InspectorTab, LazyView<Panel>>>;
  #tabs: readonly InspectorTab[] = [];
  #selected: InspectorTab = 'call';
  #hasCall = false;

  constructor(host: WebmcpInspector) {
    super(host);
    host.extend(viewStyles, viewStrings);
    const lazy = <View extends Panel>(load: () => Promise<new (host: WebmcpInspector) => View>): LazyView<View> =>
      new LazyView(
        async () => new (await load())(host),
        () => host.requestUpdate(),
      );
    this.#panels = {
      call: lazy(async () => (await import('../run/run-view.js')).RunView),
      schema: lazy(async () => (await import('./schema-view.js')).SchemaView),
      parameters: lazy(async () => (await import('./parameters-view.js')).ParametersView),
      findings: lazy(async () => (await import('./findings-view.js')).FindingsView),
      log: lazy(async () => (await import('../log/log-view.js')).LogView),
    };
  }

  render(model: PanelModel): TemplateResult {
    const { messages, tab, hideLog } = this.host;
    const ofTool = model.entry || model.entries.length > 0 ? (['call', 'schema', 'parameters'] as const) : [];
    this.#tabs = [...ofTool, 'findings', ...(hideLog ? [] : (['log'] as const))];
    this.#selected = this.#tabs.find((name) => name === tab) ?? this.#tabs[0] ?? 'findings';
    const tabs = this.#tabs;
    if (this.host.source?.findings) this.#panels.findings.get()?.follow?.(model);
    return html`<div class="tabs" role="tablist" aria-label=${messages.details} @keydown=${this.#onKey}>
        ${repeat(
          tabs,
          (name) => name,
          (name) => this.#tab(name),
        )}
      </div>
      ${repeat(
        tabs,
        (name) => name,
        (name) => this.#panel(name, model),
      )}`;
  }

  #tab(name: InspectorTab): TemplateResult {
    const isSelected = name === this.#selected;
    const count = this.host.source ? this.#panels[name].view?.count : undefined;
    return html`<button
      type="button"
      role="tab"
      part="tab"
      id="tab-${name}"
      aria-controls="panel-${name}"
      aria-selected=${isSelected}
      tabindex=${isSelected ? 0 : -1}
      @click=${() => this.#select(name)}
    >
      ${this.host.messages[`${name}Tab`]} ${count ? html`<span class="badge">${count}</span>` : nothing}
    </button>`;
  }

  /** The tab `call` stays rendered while another tab is shown, so that it keeps the entered input. */
  #panel(name: InspectorTab, model: PanelModel): TemplateResult {
    const isSelected = name === this.#selected;
    if (name === 'call' && isSelected) this.#hasCall = true;
    const isRendered = isSelected || (name === 'call' && this.#hasCall);
    const view = isRendered ? this.#panels[name].get() : undefined;
    const loading = html`<p class="say">${this.host.messages.looking}</p>`;
    return html`<div
      role="tabpanel"
      part="panel"
      id="panel-${name}"
      aria-labelledby="tab-${name}"
      tabindex="0"
      ?hidden=${!isSelected}
    >
      ${isRendered ? (view?.render(model) ?? loading) : nothing}
    </div>`;
  }

  #select(name: InspectorTab): void {
    this.host.tab = name;
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const target = this.#targetOf(event);
    if (target === undefined) return;
    event.preventDefault();
    this.#select(target);
    this.host.renderRoot.querySelector<HTMLElement>(`#tab-${target}`)?.focus();
  };

  #targetOf({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): InspectorTab | undefined {
    if (ctrlKey || altKey || metaKey) return undefined;
    const tabs = this.#tabs;
    const isMirrored = getComputedStyle(this.host).direction === 'rtl';
    const steps: Partial<Record<string, number>> = { ArrowLeft: isMirrored ? 1 : -1, ArrowRight: isMirrored ? -1 : 1 };
    const step = steps[key];
    if (step !== undefined) return tabs.at((tabs.indexOf(this.#selected) + step) % tabs.length);
    return key === 'Home' ? tabs[0] : key === 'End' ? tabs.at(-1) : undefined;
  }
}
