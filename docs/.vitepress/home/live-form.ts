import { domTree, inspectForm } from '../../../src/index.js';
import { isPolyfilled } from '../../../src/polyfill/index.js';
import type { RegisteredTool } from '../../../src/webmcp.js';
import { copyForm } from './copy-form.js';
import { formatJson } from './highlight.js';

/** The tool of the form as JSON text, or the reasons that it has none. */
export interface ShownTool {
  readonly json?: string;
  readonly problems: readonly string[];
}

/** The time in which a browser with WebMCP registers a form. */
const registrationMs = 300;

/** A form that a visitor edits. It is in a shadow tree, so that its names and IDs are not those of the page. */
export class LiveForm {
  readonly #root: ShadowRoot;
  readonly #onSubmitted: (sent: string) => void;
  #form: HTMLFormElement | null = null;
  #call = new AbortController();

  /** @param onSubmitted - Receives what the user has submitted without a call. */
  constructor(parent: HTMLElement, onSubmitted: (sent: string) => void) {
    this.#root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
    this.#onSubmitted = onSubmitted;
    this.#root.addEventListener('submit', (event) => this.#answer(event as SubmitEvent));
  }

  /** Replaces the form. A call of the previous form ends. */
  show(html: string, style: string): ShownTool {
    this.cancel();
    const sheet = Object.assign(document.createElement('style'), { textContent: style });
    this.#form = copyForm(html);
    this.#root.replaceChildren(sheet, ...(this.#form ? [this.#form] : []));
    if (!this.#form) return { problems: ['The form is missing.'] };
    const { tool, diagnostics } = inspectForm(this.#form);
    const problems = diagnostics.map(({ message }) => message);
    const { name, description, inputSchema } = tool;
    if (name !== '' && description !== '') return { json: formatJson({ name, description, inputSchema }), problems };
    return { problems: [...problems, 'A form is a tool if it has toolname and tooldescription.'] };
  }

  /**
   * Calls the tool as an agent does.
   *
   * @throws the errors of the call, or a `SyntaxError` if the input is not JSON
   */
  async call(input: string): Promise<string | null> {
    this.cancel();
    const { signal } = (this.#call = new AbortController());
    const tool = await this.#tool();
    if (!tool) throw new Error('The form is not a tool.');
    return document.modelContext!.executeTool(tool, JSON.parse(input) as object, { signal });
  }

  cancel(): void {
    this.#call.abort();
  }

  async #tool(): Promise<RegisteredTool | undefined> {
    const form = this.#form;
    const name = form && (domTree.attribute(form, 'toolname') ?? domTree.attribute(form, 'data-toolname'));
    if (!isPolyfilled()) await new Promise((resolve) => setTimeout(resolve, registrationMs));
    return (await document.modelContext?.getTools())?.find((tool) => tool.name === name);
  }

  #answer(event: SubmitEvent): void {
    event.preventDefault();
    const sent = { received: entriesOf(new FormData(this.#form!, event.submitter)) };
    if (event.agentInvoked) event.respondWith(sent);
    else this.#onSubmitted(JSON.stringify(sent));
  }
}

function entriesOf(data: FormData): Readonly<Record<string, unknown>> {
  const values = (name: string) => data.getAll(name).map((value) => (typeof value === 'string' ? value : value.name));
  const valueOf = (all: readonly string[]) => (all.length > 1 ? all : all[0]);
  return Object.fromEntries([...new Set(data.keys())].map((name) => [name, valueOf(values(name))]));
}
