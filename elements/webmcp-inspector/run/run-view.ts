import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import { formatMessage } from '../../strings.js';
import type { LogEntry, CallError } from '../log/log.js';
import { failureIn, outcomeOf } from '../log/log-view.js';
import type { ToolEntry } from '../tools.js';
import { InspectorView, type PanelModel } from '../view/inspector-view.js';
import { formatJson, parseJson, type ParseResult } from '../view/json-text.js';
import { enteredIn, fieldsOf, restoreSelection, selectionsIn, type Field, type Selection } from './fields.js';

const maxFields = 50;

/** Calls a tool with input from a form or JSON text. Input that does not match the schema is allowed. */
export class RunView extends InspectorView {
  #key = '';
  #schema: string | undefined;
  #fields: readonly Field[] = [];
  #isJson = false;
  #showsAll = false;
  /** The last call, in the state in which it was scrolled into view. */
  #revealed: LogEntry | undefined;
  /** Keyed by a full stop and the parameter's name, or by the empty string for the JSON text. */
  #errors: ReadonlyMap<string, string> = new Map();

  render({ entry }: PanelModel): unknown {
    if (!entry) return html`<p class="say">${this.messages.choose}</p>`;
    if (entry.key !== this.#key) {
      [this.#key, this.#showsAll, this.#errors] = [entry.key, false, new Map()];
    }
    if (entry.schema !== this.#schema) this.#setSchema(entry.schema);
    const onSubmit = (event: SubmitEvent): void => {
      event.preventDefault();
      this.#run(entry, event.currentTarget as HTMLFormElement);
    };
    const call = this.#latestCall(entry);
    return keyed(
      entry.key,
      html`<form class="run" novalidate autocomplete="off" @submit=${onSubmit}>
          ${this.#modes()}
          <div class="fields" ?hidden=${this.#isJson}>${this.#form(call)}</div>
          <div ?hidden=${!this.#isJson}>${this.#json()}</div>
          <div class="row actions"><button class="primary">${this.messages.run}</button></div>
        </form>
        ${call ? this.#result(call) : nothing}`,
    );
  }

  #latestCall({ key }: ToolEntry): LogEntry | undefined {
    return this.host.log?.entries.find((each) => each.type === 'call' && each.key === key);
  }

  #result(call: LogEntry): TemplateResult {
    const { messages } = this;
    const { id, state } = this.#revealed ?? {};
    if (id === undefined || call.id > id || (call.id === id && call.state !== state)) {
      this.#revealed = call;
      void this.#reveal();
    }
    return html`<section class="content result" part="result" aria-label=${messages.result}>
      ${outcomeOf(this.host, call)}<slot name="result"></slot>
    </section>`;
  }

  /** Scrolls the outcome of a call into view, or the beginning of a long outcome. */
  async #reveal(): Promise<void> {
    await this.host.updateComplete;
    const result = this.host.renderRoot.querySelector('.result');
    const panel = result?.closest('[role=tabpanel]');
    if (!result || !panel) return;
    const isLong = result.clientHeight > panel.clientHeight;
    result.scrollIntoView({ block: isLong ? 'start' : 'nearest' });
  }

  /** Replaces the fields. Selected values are restored if they are still available. */
  #setSchema(schema: string): void {
    const form = this.host.renderRoot.querySelector<HTMLFormElement>('form.run');
    const selections = form ? selectionsIn(form, this.#fields) : [];
    [this.#schema, this.#fields] = [schema, fieldsOf(schema)];
    if (form && selections.length > 0) void this.#restore(form, selections);
  }

  async #restore(form: HTMLFormElement, selections: readonly Selection[]): Promise<void> {
    await this.host.updateComplete;
    if (!form.isConnected) return; // another tool was selected meanwhile
    for (const selection of selections)
      if (!restoreSelection(form, this.#fields, selection))
        this.host.announce(formatMessage(this.messages.choiceGone, { name: selection.name }));
  }

  #modes(): TemplateResult {
    const { messages } = this;
    const choose = (isJson: boolean) => (event: Event) => {
      this.#isJson = isJson;
      if (isJson) this.#copyToJson((event.target as HTMLInputElement).form);
      this.host.requestUpdate();
    };
    const mode = (isJson: boolean, label: string): TemplateResult =>
      html`<label class="row"
        ><input type="radio" name="mode" .checked=${this.#isJson === isJson} @change=${choose(isJson)} />${label}</label
      >`;
    return html`<fieldset class="row">
      <legend>${messages.inputAs}</legend>
      ${mode(false, messages.asForm)} ${mode(true, messages.asJson)}
    </fieldset>`;
  }

  /** Copies the input of the form unless the user has edited the JSON text. */
  #copyToJson(form: HTMLFormElement | null): void {
    const area = form?.querySelector<HTMLTextAreaElement>('#json');
    if (!form || !area || area.dataset['edited'] !== undefined) return;
    const { text } = this.#inputOf(form);
    area.value = formatJson(text) ?? text;
  }

  #form(call: LogEntry | undefined): unknown {
    const { messages } = this;
    if (this.#fields.length === 0) return html`<p class="quiet">${messages.noParameters}</p>`;
    const failure = call && failureIn(call);
    const fields = this.#showsAll ? this.#fields : this.#fields.slice(0, maxFields);
    const showAll = (): void => {
      this.#showsAll = true;
      this.host.requestUpdate();
    };
    const label = formatMessage(messages.showAllParameters, { count: this.#fields.length });
    return html`<p class="quiet">${messages.notSent}</p>
      ${repeat(
        fields,
        ({ name, kind, options }) => JSON.stringify([name, kind, options]),
        (field, index) => this.#field(field, `p${String(index)}`, failure),
      )}
      ${
        fields.length < this.#fields.length
          ? html`<div><button type="button" @click=${showAll}>${label}</button></div>`
          : nothing
      }`;
  }

  #json(): TemplateResult {
    const onInput = (event: Event): void => void ((event.target as HTMLElement).dataset['edited'] = '');
    return html`<label for="json">${this.messages.input}</label>
      <textarea
        id="json"
        rows="8"
        dir="ltr"
        spellcheck="false"
        aria-describedby="json-error"
        .defaultValue=${'{}'}
        @input=${onInput}
      ></textarea>
      ${this.#error('json', this.#errors.get(''))}`;
  }

  #error(id: string, message: string | undefined): TemplateResult {
    return html`<p class="error" id="${id}-error" role="alert">${message ?? nothing}</p>`;
  }

  /** A field with its error, or with its error from the last call. */
  #field(field: Field, id: string, failure: CallError | undefined): TemplateResult {
    const found = failure?.errors.find(([parameter]) => parameter === field.name)?.[2];
    const error = this.#error(id, this.#errors.get(`.${field.name}`) ?? found?.slice(0, 2000));
    const required = field.isRequired ? html`<span class="quiet">${this.messages.required}</span>` : nothing;
    const hint = field.description.slice(0, 500);
    const description = html`<p class="quiet" id="${id}-hint">
      ${hint}${field.label === field.name ? '' : ` (${field.name})`}
    </p>`;
    if (field.kind === 'choices') {
      return html`<fieldset aria-describedby="${id}-hint ${id}-error" data-field=${id}>
        <legend>${field.label} ${required}</legend>
        ${description}
        ${field.options.map(
          ({ label }, index) =>
            html`<label class="row"><input type="checkbox" value=${index} />${label.slice(0, 200)}</label>`,
        )}
        ${error}
      </fieldset>`;
    }
    return html`<div data-field=${id}>
      <label for=${id}>${field.label} ${required}</label>
      ${description} ${this.#control(field, id)} ${error}
    </div>`;
  }

  #control(field: Field, id: string): TemplateResult {
    const { messages } = this;
    const describedBy = `${id}-hint ${id}-error`;
    const defaultText = field.default && formatMessage(messages.default, { value: field.default });
    const placeholder = defaultText || (field.example && formatMessage(messages.example, { value: field.example }));
    if (field.kind === 'choice') {
      return html`<select id=${id} aria-describedby=${describedBy}>
        <option value="">${defaultText || messages.notGiven}</option>
        ${field.options.map(({ label }, index) => html`<option value=${index}>${label.slice(0, 200)}</option>`)}
      </select>`;
    }
    if (field.kind === 'json') {
      return html`<textarea
        id=${id}
        rows="2"
        dir="ltr"
        spellcheck="false"
        aria-describedby=${describedBy}
        placeholder=${placeholder || messages.anyJson}
      ></textarea>`;
    }
    const mode = field.kind === 'number' ? 'decimal' : 'text';
    return html`<input
      id=${id}
      type="text"
      inputmode=${mode}
      dir="auto"
      aria-describedby=${describedBy}
      placeholder=${placeholder}
    />`;
  }

  /** The input of the form as JSON text, and the errors of its fields. */
  #inputOf(form: HTMLFormElement): { readonly text: string; readonly errors: ReadonlyMap<string, string> } {
    const errors = new Map<string, string>();
    const members: string[] = [];
    this.#fields.forEach((field, index) => {
      const entered = enteredIn(form, field, index);
      if (!entered) return;
      if ('json' in entered) members.push(`${JSON.stringify(field.name)}:${entered.json}`);
      else errors.set(`.${field.name}`, this.#messageOf(entered));
    });
    return { text: `{${members.join(',')}}`, errors };
  }

  #messageOf(error: Exclude<ParseResult, { readonly value: unknown }>): string {
    const { messages } = this;
    if ('fault' in error) return formatMessage(messages.notJson, { ...error.fault });
    const { line, number, other } = error.inexact;
    return formatMessage(messages.inexact, { line, number: number.slice(0, 60), other });
  }

  #run(entry: ToolEntry, form: HTMLFormElement): void {
    if (this.#isJson) return this.#send(entry, form.querySelector<HTMLTextAreaElement>('#json')?.value ?? '');
    const { text, errors } = this.#inputOf(form);
    if (errors.size === 0) return this.#send(entry, text);
    this.#setErrors(errors);
  }

  #send(entry: ToolEntry, text: string): void {
    const parsed = parseJson(text);
    if (!('value' in parsed)) return this.#setErrors(new Map([['', this.#messageOf(parsed)]]));
    this.#setErrors(new Map());
    void this.host.log?.call(entry, parsed.value as object, text);
  }

  #setErrors(errors: ReadonlyMap<string, string>): void {
    this.#errors = errors;
    if (errors.size > 0) this.host.announce(this.messages.notSentYet);
    this.host.requestUpdate();
  }
}
