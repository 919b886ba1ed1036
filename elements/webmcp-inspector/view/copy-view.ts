import { html, nothing, type TemplateResult } from 'lit';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { ToolEntry } from '../tools.js';
import { InspectorView } from './inspector-view.js';

/** Copies a tool as code or as MCP JSON. */
export class CopyView extends InspectorView {
  readonly #copy = new TextCopy(this.host, 'copy');
  #key = '';

  render(entry: ToolEntry): TemplateResult {
    if (entry.key !== this.#key) this.#copy.reset();
    this.#key = entry.key;
    const { messages } = this;
    const copy = (textOf: (entry: ToolEntry) => string) => () => void this.#copy.copy(textOf(entry));
    return html`<div class="row">
        <button type="button" @click=${copy(codeOf)}>${messages.copyCode}</button>
        <button type="button" @click=${copy(mcpOf)}>${messages.copyMcp}</button>
        <span role="status" class="done">${this.#copy.isCopied ? messages.copied : nothing}</span>
      </div>
      ${this.#copy.render()}`;
  }
}

/** JSON as JavaScript that is safe in a script element. The key `__proto__` would set the prototype, so it is computed. */
function literal(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
    .replace(/<(?=[!/]|script)/gi, '\\u003c')
    .replace(/-->/g, '--\\u003e')
    .replace(/[\u2028\u2029]/g, (separator) => `\\u${separator.charCodeAt(0).toString(16)}`);
  return text.replace(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g, (all, string: string, colon = '') =>
    colon && JSON.parse(string) === '__proto__' ? `[${string}]${String(colon)}` : all,
  );
}

const schemaOf = ({ schema }: ToolEntry): object | undefined => (schema ? (JSON.parse(schema) as object) : undefined);

/** A call of `registerTool` for the tool, with an empty `execute`. */
function codeOf(entry: ToolEntry): string {
  const { name, title, description, hints } = entry;
  const definition: Readonly<Record<string, unknown>> = {
    name,
    title: title || undefined,
    description,
    inputSchema: schemaOf(entry),
    annotations: hints.length > 0 ? Object.fromEntries(hints.map((hint) => [hint, true])) : undefined,
  };
  const lines = Object.entries(definition)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `  ${key}: ${literal(value).replaceAll('\n', '\n  ')},\n`);
  return `document.modelContext.registerTool({
${lines.join('')}  async execute(input, { signal }) {
    // Implement the description, and return the result: a string, or any value that JSON can represent.
    // return { done: true };
  },
});
`;
}

/**
 * The tool as in MCP's tools/list. A hint that is not set is omitted, because its value is unknown.
 * https://modelcontextprotocol.io/specification/2025-06-18/server/tools#tool
 */
function mcpOf(entry: ToolEntry): string {
  const { name, title, description, hints } = entry;
  const annotations = {
    ...(hints.includes('readOnlyHint') && { readOnlyHint: true }),
    ...(hints.includes('consequentialHint') && { destructiveHint: true }),
  };
  const tool = {
    name,
    ...(title && { title }),
    description,
    inputSchema: { type: 'object', ...schemaOf(entry) },
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
  return JSON.stringify(tool, null, 2);
}

/** Copies text to the clipboard. If the clipboard is unavailable, shows the text as a selection that can be copied. */
export class TextCopy extends InspectorView {
  /** The ID of the text box in the inspector. */
  readonly #id: string;
  #text = '';
  isCopied = false;

  constructor(host: WebmcpInspector, id: string) {
    super(host);
    this.#id = id;
  }

  reset(): void {
    [this.#text, this.isCopied] = ['', false];
  }

  async copy(text: string): Promise<void> {
    this.isCopied = await writeToClipboard(text);
    this.#text = this.isCopied ? '' : text;
    this.host.requestUpdate();
    if (this.isCopied) return;
    await this.host.updateComplete;
    const area = this.host.renderRoot.querySelector<HTMLTextAreaElement>(`#${this.#id}`);
    area?.focus();
    area?.select();
  }

  /** The text that could not be copied. */
  render(): TemplateResult | typeof nothing {
    const label = this.messages.copyThis;
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
