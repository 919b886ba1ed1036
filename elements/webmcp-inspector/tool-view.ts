import { html, nothing, type TemplateResult } from 'lit';
import { beginning, bounded } from './bounded.js';
import { CopyView } from './copy-view.js';
import { diagnosticsList } from './diagnostics-list.js';
import type { InspectorHost } from './host.js';
import { diagnosticsOf, findSource, viewForm, type DiagnosticView, type FormView } from './inspect.js';
import { formatJson } from './json-text.js';
import { ProfilesView } from './profiles-view.js';
import { RunView } from './run-view.js';
import type { ToolEntry } from './tools.js';
import { viewStrings } from './view-strings.js';
import { viewStyles } from './view-styles.js';
import { wordsView } from './words-view.js';

type SectionName = 'run' | 'schema' | 'words' | 'profiles' | 'diagnostics' | 'copy';

/** What is found out of a tool's form, once it is there. */
interface Found {
  readonly form: FormView | undefined;
  readonly diagnostics: readonly DiagnosticView[];
}

/** All that is said of the chosen tool. */
export class ToolView {
  readonly #host: InspectorHost;
  readonly #open = new Set<SectionName>(['run', 'schema', 'words']);
  readonly #run: RunView;
  readonly #profiles: ProfilesView;
  readonly #copy: CopyView;
  #entry: ToolEntry | undefined;
  #found: Found | undefined;
  #schema = '';

  constructor(host: InspectorHost) {
    this.#host = host;
    host.extend(viewStyles, viewStrings);
    this.#run = new RunView(host);
    this.#profiles = new ProfilesView(host);
    this.#copy = new CopyView(host);
  }

  render(entry: ToolEntry): TemplateResult {
    if (entry !== this.#entry) this.#become(entry);
    const isOfForm = entry.kind !== 'script';
    return html`<h2>${entry.name}</h2>
      ${this.#about(entry)} ${this.#section('run', () => this.#run.render(entry))}
      ${this.#section('schema', () => this.#schemaView(entry))}
      ${isOfForm ? this.#section('words', () => this.#ofForm((form) => wordsView(this.#host, form))) : nothing}
      ${isOfForm ? this.#section('profiles', () => this.#ofForm((form) => this.#profiles.render(form))) : nothing}
      ${isOfForm ? this.#section('diagnostics', () => this.#diagnostics()) : nothing}
      ${this.#section('copy', () => this.#copy.render(entry))}`;
  }

  #become(entry: ToolEntry): void {
    if (entry.key !== this.#entry?.key) this.#found = undefined;
    if (entry.schema !== this.#entry?.schema) this.#schema = formatJson(entry.schema) ?? entry.schema;
    this.#entry = entry;
    if (entry.kind !== 'script') void this.#find(entry);
  }

  async #find(entry: ToolEntry): Promise<void> {
    const source = findSource(this.#host, entry);
    const found = { form: await viewForm(source), diagnostics: source ? await diagnosticsOf(source) : [] };
    if (entry !== this.#entry) return;
    this.#found = found;
    this.#host.requestUpdate();
  }

  #about(entry: ToolEntry): TemplateResult {
    const words = this.#host.sentences;
    const hints = entry.hints.map((hint) => words[hint]);
    const rows: readonly (readonly [string, string])[] = [
      [words.title, entry.title],
      [words.description, entry.description],
      [words.kind, words[entry.kind]],
      [words.hints, hints.join(', ') || words.noHints],
      [words.page, entry.page || words.thisPage],
      [words.origin, entry.origin],
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
      <summary>${this.#host.sentences[name]}</summary>
      <div class="content">${isOpen ? content() : nothing}</div>
    </details>`;
  }

  #schemaView({ key, schema }: ToolEntry): TemplateResult {
    const words = this.#host.sentences;
    if (!schema) return html`<p class="quiet">${words.noSchema}</p>`;
    return bounded(this.#host, `schema ${key}`, this.#schema, words.schema);
  }

  #ofForm(view: (form: FormView) => TemplateResult): TemplateResult {
    const words = this.#host.sentences;
    if (!this.#found) return html`<p class="quiet">${words.looking}</p>`;
    return this.#found.form ? view(this.#found.form) : html`<p class="quiet">${words.noForm}</p>`;
  }

  #diagnostics(): TemplateResult {
    const { sentences } = this.#host;
    if (!this.#found) return html`<p class="quiet">${sentences.looking}</p>`;
    return diagnosticsList(this.#host, this.#found.diagnostics);
  }
}
