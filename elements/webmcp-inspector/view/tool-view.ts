import { html, nothing, type TemplateResult } from 'lit';
import { formatMessage } from '../../strings.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import { RunView } from '../run/run-view.js';
import type { ToolEntry } from '../tools.js';
import { beginning, boundedText } from './bounded-text.js';
import { CopyView } from './copy-view.js';
import { diagnosticsList } from './diagnostics-view.js';
import {
  diagnosticsOf,
  findSource,
  viewForm,
  type DiagnosticView,
  type FormView,
  type ParameterView,
} from './form-inspection.js';
import { formatJson } from './json-text.js';
import { ProfilesView } from './profiles-view.js';
import { viewStrings } from './view-strings.js';
import { viewStyles } from './view-styles.js';
import { pointAt } from './point-at.js';

type SectionName = 'run' | 'schema' | 'words' | 'profiles' | 'diagnostics' | 'copy';

interface Inspection {
  readonly form: FormView | undefined;
  readonly diagnostics: readonly DiagnosticView[];
}

const quiet = (text: string): TemplateResult => html`<p class="quiet">${text}</p>`;

export class ToolView {
  readonly #host: WebmcpInspector;
  readonly #open = new Set<SectionName>(['run', 'schema', 'words']);
  readonly #run: RunView;
  readonly #profiles: ProfilesView;
  readonly #copy: CopyView;
  #entry: ToolEntry | undefined;
  #inspection: Inspection | undefined;
  #schema = '';

  constructor(host: WebmcpInspector) {
    this.#host = host;
    host.extend(viewStyles, viewStrings);
    this.#run = new RunView(host);
    this.#profiles = new ProfilesView(host);
    this.#copy = new CopyView(host);
  }

  render(entry: ToolEntry): TemplateResult {
    if (entry !== this.#entry) this.#setEntry(entry);
    const host = this.#host;
    const found = this.#inspection;
    return html`<h2>${entry.name}</h2>
      ${this.#about(entry)} ${this.#section('run', () => this.#run.render(entry))}
      ${this.#section('schema', () => this.#schemaView(entry))}
      ${
        entry.kind === 'script'
          ? nothing
          : html`${this.#section('words', () => this.#formView((form) => labelTextsView(host, form)))}
            ${this.#section('profiles', () => this.#formView((form) => this.#profiles.render(form)))}
            ${this.#section('diagnostics', () =>
              found ? diagnosticsList(host, found.diagnostics) : quiet(host.messages.looking),
            )}`
      }
      ${this.#section('copy', () => this.#copy.render(entry))}`;
  }

  #setEntry(entry: ToolEntry): void {
    if (entry.key !== this.#entry?.key) this.#inspection = undefined;
    if (entry.schema !== this.#entry?.schema) this.#schema = formatJson(entry.schema) ?? entry.schema;
    this.#entry = entry;
    if (entry.kind !== 'script') void this.#inspect(entry);
  }

  async #inspect(entry: ToolEntry): Promise<void> {
    const source = findSource(this.#host, entry);
    const found = { form: await viewForm(source), diagnostics: source ? await diagnosticsOf(source) : [] };
    if (entry !== this.#entry) return;
    this.#inspection = found;
    this.#host.requestUpdate();
  }

  #about(entry: ToolEntry): TemplateResult {
    const { messages } = this.#host;
    const names = entry.hints.map((hint) => messages[hint]).join(', ');
    const isOwn = names === '' || entry.origin === location.origin;
    const hints = isOwn ? names : formatMessage(messages.claimedHints, { hints: names, origin: entry.origin });
    const rows: readonly (readonly [string, string])[] = [
      [messages.title, entry.title],
      [messages.description, entry.description],
      [messages.kind, messages[entry.kind]],
      [messages.hints, hints || messages.noHints],
      [messages.page, entry.page || messages.thisPage],
      [messages.origin, entry.origin],
    ];
    return html`<dl class="content">
      ${rows
        .filter(([, text]) => text !== '')
        .map(([label, text]) => {
          const start = beginning(text);
          return html`<div>
            <dt>${label}</dt>
            <dd>${start}${start.length < text.length ? '…' : nothing}</dd>
          </div>`;
        })}
    </dl>`;
  }

  #section(name: SectionName, content: () => unknown): TemplateResult {
    const onToggle = ({ currentTarget }: Event): void => {
      this.#open[(currentTarget as HTMLDetailsElement).open ? 'add' : 'delete'](name);
      this.#host.requestUpdate();
    };
    const isOpen = this.#open.has(name);
    return html`<details class="section" data-section=${name} ?open=${isOpen} @toggle=${onToggle}>
      <summary>${this.#host.messages[name]}</summary>
      <div class="content">${isOpen ? content() : nothing}</div>
    </details>`;
  }

  #schemaView({ key, schema }: ToolEntry): TemplateResult {
    const { messages } = this.#host;
    return schema ? boundedText(this.#host, `schema ${key}`, this.#schema, messages.schema) : quiet(messages.noSchema);
  }

  #formView(render: (form: FormView) => TemplateResult): TemplateResult {
    const { messages } = this.#host;
    if (!this.#inspection) return quiet(messages.looking);
    return this.#inspection.form ? render(this.#inspection.form) : quiet(messages.noForm);
  }
}

/** Lists the sources of each parameter's description, with a button that shows its control. */
function labelTextsView(host: WebmcpInspector, { parameters }: FormView): TemplateResult {
  if (parameters.length === 0) return html`<p class="quiet">${host.messages.noParameters}</p>`;
  return html`<ul class="plain">
    ${parameters.map((parameter) => html`<li>${parameterView(host, parameter)}</li>`)}
  </ul>`;
}

function parameterView(host: WebmcpInspector, { name, required, texts, controls }: ParameterView): TemplateResult {
  const { messages } = host;
  const point = (): void => pointAt(host, controls[0]?.deref(), name);
  return html`<div class="row">
      <code class="name">${name}</code>
      ${required ? html`<span class="quiet">${messages.required}</span>` : nothing}
      <button type="button" aria-label=${formatMessage(messages.pointAt, { what: name })} @click=${point}>
        ${messages.point}
      </button>
    </div>
    ${
      texts.length === 0
        ? html`<p class="warning">${messages.noWords}</p>`
        : html`<dl>
            ${texts.map(
              ({ source, text, profiles }) =>
                html`<dt><code>${source}</code></dt>
                  <dd>
                    ${beginning(text)}
                    <span class="quiet">${formatMessage(messages.wordsIn, { profiles: profiles.join(', ') })}</span>
                  </dd>`,
            )}
          </dl>`
    }`;
}
