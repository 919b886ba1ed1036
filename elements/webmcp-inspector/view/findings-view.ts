import { html, nothing, type TemplateResult } from 'lit';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import { FormsView } from '../forms/forms-view.js';
import { pause, windowsOf } from '../forms/forms-watch.js';
import type { InspectorFinding } from '../source.js';
import type { ToolEntry } from '../tools.js';
import { findingsOf } from './form-inspection.js';
import { InspectorView, type PanelModel } from './inspector-view.js';
import { showButton } from './point-at.js';

const maxShown = 500;

/** The maximum duration of a task, and the pause between rounds, in milliseconds. */
const pace = { task: 8, pause: 500 };

/** The findings of all tools, with the selected tool first, and the forms without annotations. */
export class FindingsView extends InspectorView {
  readonly #forms = new FormsView(this.host);
  #version: number | undefined;
  #findings: readonly InspectorFinding[] | undefined;
  #isBusy = false;

  get count(): number | undefined {
    return this.#findings?.length;
  }

  /** Reads the findings if the tools were read again. */
  follow({ version, entries }: PanelModel): void {
    if (version !== this.#version && !this.#isBusy) void this.#read(version, entries);
  }

  render(model: PanelModel): TemplateResult {
    this.follow(model);
    const host = this.host;
    const looking = html`<p class="quiet">${host.messages.looking}</p>`;
    return html`<div class="content" part="findings">
        ${this.#findings ? findingsList(host, this.#findings, model.entry) : looking}
      </div>
      ${host.source ? nothing : this.#forms.render(model.entries)}`;
  }

  async #read(version: number, entries: readonly ToolEntry[]): Promise<void> {
    [this.#isBusy, this.#version] = [true, version];
    const { source } = this.host;
    const found = source ? await source.findings?.() : await readFindings(this.host, entries);
    if (source === this.host.source) this.#findings = found ?? [];
    this.host.requestUpdate();
    await pause(source ? 0 : pace.pause);
    this.#isBusy = false;
    this.host.requestUpdate();
  }
}

/** The findings of this page and of the windows that have tools. */
async function readFindings(
  host: WebmcpInspector,
  entries: readonly ToolEntry[],
): Promise<readonly InspectorFinding[]> {
  const sources = windowsOf(host, entries).flatMap((each) => [...host.sources.sourcesIn(each)]);
  const found: InspectorFinding[] = [];
  let start = performance.now();
  for (const source of sources) {
    found.push(...(await findingsOf(host, source)));
    if (performance.now() - start < pace.task) continue;
    await pause();
    start = performance.now();
  }
  return found;
}

/** The findings of the selected tool, then the findings of all other tools, errors first. */
function findingsList(
  host: WebmcpInspector,
  findings: readonly InspectorFinding[],
  entry: ToolEntry | undefined,
): unknown {
  const { messages } = host;
  if (findings.length === 0) return html`<p class="quiet">${messages.noFindings}</p>`;
  const rank = ({ severity }: InspectorFinding): number => ['error', 'warning', 'info'].indexOf(severity);
  const sorted = findings.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxShown);
  const own = sorted.filter(({ tool }) => tool === entry?.name);
  const others = sorted.filter(({ tool }) => tool !== entry?.name);
  const list = (label: string, listed: readonly InspectorFinding[]): unknown =>
    listed.length === 0
      ? nothing
      : html`${own.length > 0 && others.length > 0 ? html`<h3>${label}</h3>` : nothing}
          <ul class="plain">
            ${listed.map((finding) => html`<li>${findingView(host, finding, entry?.name)}</li>`)}
          </ul>`;
  return [list(entry?.name ?? '', own), list(messages.otherFindings, others)];
}

function findingView(host: WebmcpInspector, finding: InspectorFinding, selected: string | undefined): TemplateResult {
  const { severity, code, message, tool = '', parameter = '', place, url, show } = finding;
  const { messages } = host;
  const subject = [tool === selected ? '' : tool, parameter].filter(Boolean).join(', ');
  const what = [tool, parameter].filter(Boolean).join(', ') || code;
  return html`<div class="row">
      <strong class=${severity}>${messages[severity === 'error' ? 'fault' : severity]}</strong>
      ${url ? html`<a href=${url}><code>${code}</code></a>` : html`<code>${code}</code>`}
      ${subject ? html`<code class="quiet">${subject}</code>` : nothing}
      ${place ? html`<span class="quiet">${place}</span>` : nothing} ${showButton(host, show, what)}
    </div>
    <p>${message.slice(0, 2000)}</p>`;
}
