import { html, nothing, type TemplateResult } from 'lit';
import type { WebmcpInspector } from '../../webmcp-inspector.js';

/** Copies text to the clipboard. If the clipboard is unavailable, shows the text as a selection that can be copied. */
export class TextCopy {
  readonly #host: WebmcpInspector;
  /** The ID of the text box in the inspector. */
  readonly #id: string;
  #text = '';
  isCopied = false;

  constructor(host: WebmcpInspector, id: string) {
    this.#host = host;
    this.#id = id;
  }

  reset(): void {
    [this.#text, this.isCopied] = ['', false];
  }

  async copy(text: string): Promise<void> {
    this.isCopied = await writeToClipboard(text);
    this.#text = this.isCopied ? '' : text;
    this.#host.requestUpdate();
    if (this.isCopied) return;
    await this.#host.updateComplete;
    const area = this.#host.renderRoot.querySelector<HTMLTextAreaElement>(`#${this.#id}`);
    area?.focus();
    area?.select();
  }

  /** The text that could not be copied. */
  render(): TemplateResult | typeof nothing {
    const label = this.#host.messages.copyThis;
    return this.#text
      ? html`<label for=${this.#id}>${label}</label>
          <textarea id=${this.#id} rows="8" dir="ltr" readonly .value=${this.#text}></textarea>`
      : nothing;
  }
}

/** Returns false if the clipboard is missing or not allowed. */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
