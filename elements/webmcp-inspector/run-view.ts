import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import { say } from '../strings.js';
import { choose, chosenIn, textsIn, type Chosen } from './choices.js';
import { enteredIn, fieldsOf, type Entered, type Field } from './fields.js';
import type { InspectorHost } from './host.js';
import { formatJson, parseJson, type Parsed } from './json-text.js';
import { logView } from './log-view.js';
import type { ToolEntry } from './tools.js';

const most = { parameters: 50, calls: 5 };

type Complaint = Exclude<Parsed, { readonly value: unknown }>;

/** Enters the input of a tool, as a form or as JSON, and calls it. Nothing is refused but what is no JSON. */
export class RunView {
  readonly #host: InspectorHost;
  #key = '';
  #schema: string | undefined;
  #fields: readonly Field[] = [];
  #isJson = false;
  #isWhole = false;
  #complaints: ReadonlyMap<string, string> = new Map();

  constructor(host: InspectorHost) {
    this.#host = host;
  }

  render(entry: ToolEntry): TemplateResult {
    if (entry.key !== this.#key) {
      [this.#key, this.#isWhole, this.#complaints] = [entry.key, false, new Map()];
    }
    if (entry.schema !== this.#schema) this.#follow(entry.schema);
    const onSubmit = (event: SubmitEvent): void => {
      event.preventDefault();
      this.#run(entry, event.currentTarget as HTMLFormElement);
    };
    const words = this.#host.sentences;
    const calls = this.#host
      .logged()
      .filter(({ type, tool }) => type === 'call' && tool === entry.name)
      .slice(0, most.calls);
    return html`${keyed(
      entry.key,
      html`<form class="run" novalidate autocomplete="off" @submit=${onSubmit}>
        ${this.#modes()}
        <div class="fields" ?hidden=${this.#isJson}>${this.#form()}</div>
        <div ?hidden=${!this.#isJson}>${this.#json()}</div>
        <div class="row"><button class="primary">${words.run}</button></div>
      </form>`,
    )}
    ${calls.length > 0 ? html`<h3>${words.calls}</h3>` : nothing}
    ${calls.length > 0 ? logView(this.#host, calls) : nothing}`;
  }

  /** The fields of another schema; a choice stays if its value is still offered. */
  #follow(schema: string): void {
    const form = this.#host.renderRoot.querySelector<HTMLFormElement>('form.run');
    const earlier = form ? chosenIn(form, this.#fields) : [];
    [this.#schema, this.#fields] = [schema, fieldsOf(schema)];
    if (form && earlier.length > 0) void this.#restore(form, earlier);
  }

  async #restore(form: HTMLFormElement, earlier: readonly Chosen[]): Promise<void> {
    await this.#host.updateComplete;
    if (!form.isConnected) return; // of another tool
    for (const chosen of earlier)
      if (!choose(form, this.#fields, chosen))
        this.#host.announce(say(this.#host.sentences.choiceGone, { name: chosen.name }));
  }

  #modes(): TemplateResult {
    const words = this.#host.sentences;
    const choose = (isJson: boolean) => (event: Event) => {
      this.#isJson = isJson;
      if (isJson) this.#copyToJson((event.target as HTMLInputElement).form);
      this.#host.requestUpdate();
    };
    const mode = (isJson: boolean, label: string): TemplateResult =>
      html`<label class="row"
        ><input type="radio" name="mode" .checked=${this.#isJson === isJson} @change=${choose(isJson)} />${label}</label
      >`;
    return html`<fieldset class="row">
      <legend>${words.inputAs}</legend>
      ${mode(false, words.asForm)} ${mode(true, words.asJson)}
    </fieldset>`;
  }

  /** What the form says goes on as text, unless the text has been changed. */
  #copyToJson(form: HTMLFormElement | null): void {
    const area = form?.querySelector<HTMLTextAreaElement>('#json');
    if (!form || !area || area.dataset['edited'] !== undefined) return;
    const { text } = this.#enteredIn(form);
    area.value = formatJson(text) ?? text;
  }

  #form(): unknown {
    const words = this.#host.sentences;
    if (this.#fields.length === 0) return html`<p class="quiet">${words.noParameters}</p>`;
    const shown = this.#isWhole ? this.#fields : this.#fields.slice(0, most.parameters);
    const showAll = (): void => {
      this.#isWhole = true;
      this.#host.requestUpdate();
    };
    const all = say(words.showAllParameters, { count: this.#fields.length });
    return html`<p class="quiet">${words.notSent}</p>
      ${repeat(
        shown,
        ({ name, kind, options }) => JSON.stringify([name, kind, options]),
        (field, index) => this.#field(field, `p${String(index)}`),
      )}
      ${
        shown.length < this.#fields.length
          ? html`<div><button type="button" @click=${showAll}>${all}</button></div>`
          : nothing
      }`;
  }

  #json(): TemplateResult {
    const onInput = (event: Event): void => void ((event.target as HTMLElement).dataset['edited'] = '');
    return html`<label for="json">${this.#host.sentences.input}</label>
      <textarea
        id="json"
        rows="8"
        dir="ltr"
        spellcheck="false"
        aria-describedby="json-error"
        .defaultValue=${'{}'}
        @input=${onInput}
      ></textarea>
      ${this.#complaint('json', '')}`;
  }

  #complaint(id: string, name: string): TemplateResult {
    const complaint = this.#complaints.get(name);
    return html`<p class="error" id="${id}-error" role="alert">${complaint ?? nothing}</p>`;
  }

  #field(field: Field, id: string): TemplateResult {
    const required = field.isRequired ? html`<span class="quiet">${this.#host.sentences.required}</span>` : nothing;
    const hint = field.description.slice(0, 500);
    const description = html`<p class="quiet" id="${id}-hint">
      ${hint}${field.label === field.name ? '' : ` (${field.name})`}
    </p>`;
    if (field.kind === 'choices') {
      return html`<fieldset aria-describedby="${id}-hint" data-field=${id}>
        <legend>${field.label} ${required}</legend>
        ${description}
        ${field.options.map(
          ({ label }, index) =>
            html`<label class="row"><input type="checkbox" value=${index} />${label.slice(0, 200)}</label>`,
        )}
      </fieldset>`;
    }
    return html`<div data-field=${id}>
      <label for=${id}>${field.label} ${required}</label>
      ${description} ${this.#control(field, id)} ${this.#complaint(id, `.${field.name}`)}
    </div>`;
  }

  #control(field: Field, id: string): TemplateResult {
    const words = this.#host.sentences;
    const described = `${id}-hint ${id}-error`;
    const preset = field.default && say(words.default, { value: field.default });
    const placeholder = preset || (field.example && say(words.example, { value: field.example }));
    if (field.kind === 'choice') {
      return html`<select id=${id} aria-describedby=${described}>
        <option value="">${preset || words.notGiven}</option>
        ${field.options.map(({ label }, index) => html`<option value=${index}>${label.slice(0, 200)}</option>`)}
      </select>`;
    }
    if (field.kind === 'json') {
      return html`<textarea
        id=${id}
        rows="2"
        dir="ltr"
        spellcheck="false"
        aria-describedby=${described}
        placeholder=${placeholder || words.anyJson}
      ></textarea>`;
    }
    const mode = field.kind === 'number' ? 'decimal' : 'text';
    return html`<input
      id=${id}
      type="text"
      inputmode=${mode}
      dir="auto"
      aria-describedby=${described}
      placeholder=${placeholder}
    />`;
  }

  /** The input that the form makes, as JSON text, and what is wrong with the text of its parameters. */
  #enteredIn(form: HTMLFormElement): { readonly text: string; readonly wrong: ReadonlyMap<string, string> } {
    const wrong = new Map<string, string>();
    const members: string[] = [];
    this.#fields.forEach((field, index) => {
      const entered = enteredIn(field, textsIn(form, index));
      if (!entered) return;
      if ('json' in entered) members.push(`${JSON.stringify(field.name)}:${entered.json}`);
      else wrong.set(`.${field.name}`, this.#say(entered));
    });
    return { text: `{${members.join(',')}}`, wrong };
  }

  #say(complaint: Exclude<Entered, undefined | { readonly json: string }> | Complaint): string {
    const words = this.#host.sentences;
    if ('fault' in complaint) return say(words.notJson, { ...complaint.fault });
    const { line, number, other } = complaint.inexact;
    return say(words.inexact, { line, number: number.slice(0, 60), other });
  }

  #run(entry: ToolEntry, form: HTMLFormElement): void {
    if (this.#isJson) return this.#send(entry, form.querySelector<HTMLTextAreaElement>('#json')?.value ?? '');
    const { text, wrong } = this.#enteredIn(form);
    if (wrong.size === 0) return this.#send(entry, text);
    this.#complain(wrong);
  }

  #send(entry: ToolEntry, text: string): void {
    const parsed = parseJson(text);
    if (!('value' in parsed)) return this.#complain(new Map([['', this.#say(parsed)]]));
    this.#complain(new Map());
    this.#host.call(entry, parsed.value, text);
  }

  #complain(complaints: ReadonlyMap<string, string>): void {
    this.#complaints = complaints;
    if (complaints.size > 0) this.#host.announce(this.#host.sentences.notSentYet);
    this.#host.requestUpdate();
  }
}
