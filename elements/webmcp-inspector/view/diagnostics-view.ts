import { html, type TemplateResult } from 'lit';
import { formatMessage } from '../../strings.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { Source } from '../sources.js';
import type { ToolEntry } from '../tools.js';
import { diagnosticsOf, type DiagnosticView } from './form-inspection.js';
import { pointAt } from './point-at.js';
import { viewStrings } from './view-strings.js';
import { viewStyles } from './view-styles.js';

const maxShown = 500;

/** The maximum duration of a task, and the pause between rounds, in milliseconds. */
const pace = { task: 8, pause: 500 };

const pause = (milliseconds = 0): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class DiagnosticsView {
  readonly #host: WebmcpInspector;
  #entries: readonly ToolEntry[] | undefined;
  #diagnostics: readonly DiagnosticView[] | undefined;
  #isBusy = false;

  constructor(host: WebmcpInspector) {
    this.#host = host;
    host.extend(viewStyles, viewStrings);
  }

  /** @param entries - a new array causes the diagnostics to be read again */
  render(entries: readonly ToolEntry[]): TemplateResult {
    if (entries !== this.#entries && !this.#isBusy) void this.#read(entries);
    return this.#diagnostics
      ? diagnosticsList(this.#host, this.#diagnostics)
      : html`<p class="quiet">${this.#host.messages.looking}</p>`;
  }

  async #read(entries: readonly ToolEntry[]): Promise<void> {
    [this.#isBusy, this.#entries] = [true, entries];
    this.#diagnostics = await readDiagnostics(sourcesOf(this.#host, entries));
    this.#host.requestUpdate();
    await pause(pace.pause);
    this.#isBusy = false;
    this.#host.requestUpdate();
  }
}

async function readDiagnostics(sources: readonly Source[]): Promise<readonly DiagnosticView[]> {
  const found: DiagnosticView[] = [];
  let start = performance.now();
  for (const source of sources) {
    found.push(...(await diagnosticsOf(source)));
    if (performance.now() - start < pace.task) continue;
    await pause();
    start = performance.now();
  }
  return found;
}

/** The sources of this page and of the windows that have tools. */
function sourcesOf(host: WebmcpInspector, entries: readonly ToolEntry[]): readonly Source[] {
  const windows = new Set([window, ...entries.flatMap((entry) => entry.window.deref() ?? [])]);
  return [...windows].filter(({ closed }) => !closed).flatMap((each) => [...host.sources.sourcesIn(each)]);
}

/** A list of diagnostics, errors first, each with a button that shows its element. */
export function diagnosticsList(host: WebmcpInspector, diagnostics: readonly DiagnosticView[]): TemplateResult {
  if (diagnostics.length === 0) return html`<p class="quiet">${host.messages.noDiagnostics}</p>`;
  const rank = ({ severity }: DiagnosticView): number => ['error', 'warning', 'info'].indexOf(severity);
  const sorted = diagnostics.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxShown);
  return html`<ul class="plain">
    ${sorted.map((diagnostic) => html`<li>${diagnosticView(host, diagnostic)}</li>`)}
  </ul>`;
}

function diagnosticView(host: WebmcpInspector, diagnostic: DiagnosticView): TemplateResult {
  const { severity, code, message, tool = '', parameter = '', element } = diagnostic;
  const { messages } = host;
  const what = [tool, parameter].filter(Boolean).join(', ') || code;
  const point = (): void => pointAt(host, element?.deref(), what);
  return html`<div class="row">
      <strong class=${severity}>${messages[severity === 'error' ? 'fault' : severity]}</strong>
      <code>${code}</code>
      <code class="quiet">${what}</code>
      <button type="button" aria-label=${formatMessage(messages.pointAt, { what })} @click=${point}>
        ${messages.point}
      </button>
    </div>
    <p>${message.slice(0, 2000)}</p>`;
}
