import { html, type TemplateResult } from 'lit';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { ToolInspection } from '../source.js';
import type { ToolEntry } from '../tools.js';
import { inspectTool } from './form-inspection.js';
import type { PanelModel } from './panels.js';

/** The inspection of the selected tool. It is read again after changes of the tools. */
export class InspectionCache {
  readonly #host: WebmcpInspector;
  #key = '';
  #version: number | undefined;
  #result: { readonly form: ToolInspection | undefined } | undefined;
  #failure = '';

  constructor(host: WebmcpInspector) {
    this.#host = host;
  }

  render({ entry, version }: PanelModel, view: (form: ToolInspection) => TemplateResult): TemplateResult {
    const { messages } = this.#host;
    const quiet = (text: string): TemplateResult => html`<p class="quiet">${text}</p>`;
    if (!entry) return quiet(messages.choose);
    if (entry.kind === 'script') return quiet(messages.byScript);
    if (entry.key !== this.#key) this.#result = undefined;
    if (entry.key !== this.#key || version !== this.#version) void this.#read(entry, version);
    if (this.#failure) return html`<p class="error" role="status">${this.#failure}</p>`;
    if (!this.#result) return quiet(messages.looking);
    return this.#result.form ? view(this.#result.form) : quiet(messages.noForm);
  }

  async #read(entry: ToolEntry, version: number): Promise<void> {
    [this.#key, this.#version, this.#failure] = [entry.key, version, ''];
    const isCurrent = (): boolean => this.#key === entry.key && this.#version === version;
    try {
      const form = await inspectTool(this.#host, entry);
      if (isCurrent()) this.#result = { form };
    } catch (error) {
      if (isCurrent()) this.#failure = String(error);
    }
    this.#host.requestUpdate();
  }
}
