import { html, nothing, css, type TemplateResult, type CSSResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { formatMessage } from '../../strings.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { ToolEntry } from '../tools.js';
import { pointAt } from '../view/point-at.js';
import { TextCopy } from '../view/copy-view.js';
import { InspectorView } from '../view/inspector-view.js';
import { FormsWatch, type ListedForm } from './forms-watch.js';
import type { Suggestion } from './suggest-forms.js';

type Attribute = readonly [name: string, value: string];

/** The start tag of a form with the suggested annotations and the attributes that it has in the page. */
function startTag(form: Element, { name, title, description, autosubmit }: Suggestion): string {
  const added: readonly Attribute[] = [
    ['toolname', name],
    ...(title ? ([['tooltitle', title]] as const) : []),
    ['tooldescription', description],
    ...(autosubmit ? ([['toolautosubmit', '']] as const) : []),
  ];
  // A control can clobber the form's own member.
  const attributes: NamedNodeMap = Reflect.get(Element.prototype, 'attributes', form);
  const own = Array.from(attributes, (attribute): Attribute => [attribute.name, attribute.value]);
  return `<form${[...added, ...own].map(attributeText).join('')}>`;
}

const attributeText = ([name, value]: Attribute): string => (value === '' ? ` ${name}` : ` ${name}="${escape(value)}"`);

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
  '\u00a0': '&nbsp;',
  '\r': '&#13;',
};

const escape = (value: string): string =>
  value.replace(/[&"<>\u00a0\r]/g, (character) => references[character] ?? character);

const formsStyles: CSSResult = css`
  .suggestions dt {
    overflow-wrap: anywhere;
  }
`;

/** The section with the forms that have no annotations. */
export class FormsView extends InspectorView {
  readonly #watch = new FormsWatch(this.host);
  readonly #copy = new TextCopy(this.host, 'copy-tag');
  /** The ID of the form whose tag was copied. */
  #copied = 0;
  #isOpen = false;

  constructor(host: WebmcpInspector) {
    super(host);
    host.extend(formsStyles, {});
  }

  render(entries: readonly ToolEntry[]): TemplateResult | typeof nothing {
    this.#watch.follow(entries, this.#isOpen);
    const { messages } = this;
    const { count } = this.#watch;
    if (count === 0) return nothing;
    return html`<details class="section" ?open=${this.#isOpen} @toggle=${this.#onToggle}>
      <summary>${formatMessage(messages.plainForms, { count })}</summary>
      <div class="content" part="forms">${this.#isOpen ? this.#list() : nothing}</div>
    </details>`;
  }

  readonly #onToggle = ({ currentTarget }: Event): void => {
    this.#isOpen = (currentTarget as HTMLDetailsElement).open;
    this.host.requestUpdate();
  };

  #list(): TemplateResult {
    const { messages } = this;
    const { forms, count, failure } = this.#watch;
    const omitted = count - forms.length;
    return html`${
        failure === ''
          ? html`<p class="quiet">${messages.plainFormsHint}</p>`
          : html`<p class="error" role="status">${formatMessage(messages.noSuggestions, { reason: failure })}</p>`
      }
      <ul class="plain suggestions">
        ${repeat(
          forms,
          ({ id }) => id,
          (listed) => html`<li>${this.#form(listed)}</li>`,
        )}
      </ul>
      ${omitted > 0 ? html`<p class="quiet">${formatMessage(messages.moreForms, { count: omitted })}</p>` : nothing}`;
  }

  #form(listed: ListedForm): TemplateResult {
    const { messages } = this;
    const { suggestion, form } = listed;
    const what = suggestion?.name ?? messages.form;
    const point = (): void => pointAt(this.host, form.deref(), what);
    return html`<div class="row">
        <code class="name">${what}</code>
        ${suggestion ? confidence(this.host, suggestion) : nothing}
        <button type="button" aria-label=${formatMessage(messages.pointAt, { what })} @click=${point}>
          ${messages.point}
        </button>
        ${suggestion ? this.#copyButton(listed, suggestion) : nothing}
      </div>
      ${
        suggestion ? suggestionView(this.host, suggestion) : html`<p class="quiet">${this.#placeholder(suggestion)}</p>`
      }
      ${this.#copied === listed.id ? this.#copy.render() : nothing}`;
  }

  #placeholder(suggestion: null | undefined): string | typeof nothing {
    const { messages } = this;
    if (suggestion === null) return messages.noSuggestion;
    return this.#watch.failure === '' ? messages.looking : nothing;
  }

  #copyButton({ id, form }: ListedForm, suggestion: Suggestion): TemplateResult {
    const { messages } = this;
    const what = suggestion.name;
    const copy = (): void => void this.#copyTag(id, form.deref(), suggestion);
    const isCopied = this.#copied === id && this.#copy.isCopied;
    return html`<button type="button" aria-label=${formatMessage(messages.copyTagOf, { what })} @click=${copy}>
        ${messages.copyTag}
      </button>
      <span class="done">${isCopied ? messages.copied : nothing}</span>`;
  }

  async #copyTag(id: number, form: Element | undefined, suggestion: Suggestion): Promise<void> {
    if (!form) return;
    this.#copied = id;
    await this.#copy.copy(startTag(form, suggestion));
    if (this.#copy.isCopied) this.host.announce(formatMessage(this.messages.tagCopied, { what: suggestion.name }));
  }
}

function confidence({ messages }: WebmcpInspector, suggestion: Suggestion): TemplateResult {
  const isLow = suggestion.confidence === 'low';
  return html`<span class="badge ${isLow ? 'warning' : ''}">${messages[`${suggestion.confidence}Confidence`]}</span>`;
}

function suggestionView({ messages }: WebmcpInspector, suggestion: Suggestion): TemplateResult {
  const { description, sensitive, parameters, autosubmit } = suggestion;
  return html`<p dir="auto">${description}</p>
    ${suggestion.confidence === 'low' ? html`<p class="warning">${messages.lowNote}</p>` : nothing}
    ${
      sensitive
        ? html`<p class="warning">${formatMessage(messages.sensitiveNote, { what: messages[sensitive] })}</p>`
        : nothing
    }
    ${autosubmit ? html`<p class="quiet">${messages.autosubmitNote}</p>` : nothing}
    ${
      parameters.length > 0
        ? html`<p class="quiet">${messages.controlsNote}</p>
            <dl>
              ${parameters.map(
                (parameter) =>
                  html`<dt><code>${parameter.name}</code></dt>
                    <dd dir="auto">${parameter.description}</dd>`,
              )}
            </dl>`
        : nothing
    }`;
}
