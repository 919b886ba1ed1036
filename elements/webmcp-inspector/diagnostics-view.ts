import { html, type TemplateResult } from 'lit';
import { diagnosticsList } from './diagnostics-list.js';
import type { InspectorHost } from './host.js';
import { diagnosticsOf, type DiagnosticView } from './inspect.js';
import type { Source } from './sources.js';
import type { ToolEntry } from './tools.js';
import { viewStrings } from './view-strings.js';
import { viewStyles } from './view-styles.js';

/** How long the page is kept busy at once, and how long it is left alone after a round. Milliseconds. */
const pace = { busy: 8, rest: 500 };

const pause = (milliseconds = 0): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** All that the authors of the page's forms and tools should know. */
export class DiagnosticsView {
  readonly #host: InspectorHost;
  #seen: readonly ToolEntry[] | undefined;
  #found: readonly DiagnosticView[] | undefined;
  #isBusy = false;

  constructor(host: InspectorHost) {
    this.#host = host;
    host.extend(viewStyles, viewStrings);
  }

  /** @param entries - looks again when they are others */
  render(entries: readonly ToolEntry[]): TemplateResult {
    if (entries !== this.#seen && !this.#isBusy) void this.#look(entries);
    return this.#found
      ? diagnosticsList(this.#host, this.#found)
      : html`<p class="quiet">${this.#host.sentences.looking}</p>`;
  }

  async #look(entries: readonly ToolEntry[]): Promise<void> {
    [this.#isBusy, this.#seen] = [true, entries];
    this.#found = await allDiagnostics(this.#host, entries);
    this.#host.requestUpdate();
    await pause(pace.rest);
    this.#isBusy = false;
    this.#host.requestUpdate();
  }
}

async function allDiagnostics(host: InspectorHost, entries: readonly ToolEntry[]): Promise<readonly DiagnosticView[]> {
  const found: DiagnosticView[] = [];
  let start = performance.now();
  for (const source of sourcesOf(host, entries)) {
    found.push(...(await diagnosticsOf(source)));
    if (performance.now() - start < pace.busy) continue;
    await pause();
    start = performance.now();
  }
  return found;
}

/** Of the page and of the windows that tools live in; a form that an element makes a tool of is said once. */
function sourcesOf(host: InspectorHost, entries: readonly ToolEntry[]): readonly Source[] {
  const windows = new Set([window, ...entries.flatMap((entry) => entry.window.deref() ?? [])]);
  return [...windows].filter(({ closed }) => !closed).flatMap((each) => [...host.sourcesIn(each)]);
}
