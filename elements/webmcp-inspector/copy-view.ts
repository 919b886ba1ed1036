import { html, nothing, type TemplateResult } from 'lit';
import { toCode, toMcp } from './copy.js';
import type { InspectorHost } from './host.js';
import type { ToolEntry } from './tools.js';

/** Copies a tool as code or as MCP JSON; where there is no clipboard, shows the text selected. */
export class CopyView {
  readonly #host: InspectorHost;
  #text = '';
  #key = '';
  #isCopied = false;

  constructor(host: InspectorHost) {
    this.#host = host;
  }

  render(entry: ToolEntry): TemplateResult {
    if (entry.key !== this.#key) [this.#key, this.#text, this.#isCopied] = [entry.key, '', false];
    const words = this.#host.sentences;
    const copy = (make: (entry: ToolEntry) => string) => () => void this.#copy(make(entry));
    return html`<div class="row">
        <button type="button" @click=${copy(toCode)}>${words.copyCode}</button>
        <button type="button" @click=${copy(toMcp)}>${words.copyMcp}</button>
        <span role="status" class="done">${this.#isCopied ? words.copied : nothing}</span>
      </div>
      ${
        this.#text
          ? html`<label for="copy">${words.copyThis}</label>
              <textarea id="copy" rows="8" dir="ltr" readonly .value=${this.#text}></textarea>`
          : nothing
      }`;
  }

  async #copy(text: string): Promise<void> {
    this.#isCopied = await toClipboard(text);
    this.#text = this.#isCopied ? '' : text;
    this.#host.requestUpdate();
    if (this.#isCopied) return;
    await this.#host.updateComplete;
    const area = this.#host.renderRoot.querySelector<HTMLTextAreaElement>('#copy');
    area?.focus();
    area?.select();
  }
}

/** Whether the text is in the clipboard now. */
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // none in this context, or not allowed
  }
}
