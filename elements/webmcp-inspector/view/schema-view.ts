import { html, nothing, type TemplateResult } from 'lit';
import { formatMessage } from '../../strings.js';
import type { ToolInspection } from '../source.js';
import type { ToolEntry } from '../tools.js';
import { beginning, boundedText } from './bounded-text.js';
import { CopyView } from './copy-view.js';
import { InspectionCache } from './form-inspection.js';
import type { ProfileView } from './form-view.js';
import { formatJson } from './json-text.js';
import { InspectorView, type PanelModel } from './inspector-view.js';

/** The definition of a tool, and the differences between the profiles. */
export class SchemaView extends InspectorView {
  readonly #copy = new CopyView(this.host);
  readonly #profiles = new ProfilesView(this.host);
  readonly #inspections = new InspectionCache(this.host);
  #formatted = { schema: '', text: '' };
  #showsProfiles = false;

  render(model: PanelModel): unknown {
    const { entry } = model;
    if (!entry) return html`<p class="say">${this.messages.choose}</p>`;
    return html`<div class="content">${this.#schema(entry)} ${this.#copy.render(entry)} ${this.#about(entry)}</div>
      ${entry.kind === 'script' ? nothing : this.#differences(model)}`;
  }

  #schema({ key, schema }: ToolEntry): TemplateResult {
    const { messages } = this;
    if (schema !== this.#formatted.schema) this.#formatted = { schema, text: formatJson(schema) ?? schema };
    return schema
      ? boundedText(this.host, `schema ${key}`, this.#formatted.text, messages.schema)
      : html`<p class="quiet">${messages.noSchema}</p>`;
  }

  #about(entry: ToolEntry): TemplateResult {
    const { messages } = this;
    const names = entry.hints.map((hint) => messages[hint]).join(', ');
    const isOwn = names === '' || entry.origin === location.origin;
    const hints = isOwn ? names : formatMessage(messages.claimedHints, { hints: names, origin: entry.origin });
    const rows: readonly (readonly [string, string])[] = [
      [messages.title, entry.title],
      [messages.description, entry.description],
      [messages.kind, messages[entry.kind]],
      [messages.hints, hints],
      [messages.page, entry.page],
      [messages.origin, entry.origin],
    ];
    return html`<dl>
      ${rows
        .filter(([, text]) => text !== '')
        .map(([label, text]) => {
          const start = beginning(text);
          return html`<dt>${label}</dt>
            <dd dir="auto">${start}${start.length < text.length ? '…' : nothing}</dd>`;
        })}
    </dl>`;
  }

  #differences(model: PanelModel): TemplateResult {
    const onToggle = ({ currentTarget }: Event): void => {
      this.#showsProfiles = currentTarget instanceof HTMLDetailsElement && currentTarget.open;
      this.host.requestUpdate();
    };
    return html`<details class="section profiles" ?open=${this.#showsProfiles} @toggle=${onToggle}>
      <summary>${this.messages.profiles}</summary>
      <div class="content">
        ${this.#showsProfiles ? this.#inspections.render(model, (form) => this.#profiles.render(form)) : nothing}
      </div>
    </details>`;
  }
}

/** A keyword of a parameter, with its value in each profile as JSON text. */
interface Row {
  readonly keyword: string;
  readonly cells: readonly (string | undefined)[];
  readonly differs: boolean;
}

const allKeys = (records: readonly object[]): string[] => [
  ...new Set(records.flatMap((record) => Object.keys(record))),
];

function compareParameter(name: string, profiles: readonly ProfileView[]): readonly Row[] {
  const schemas = profiles.map(({ parameters }) => (Object.hasOwn(parameters, name) ? parameters[name] : undefined));
  return allKeys(schemas.map((schema) => schema ?? {})).map((keyword) => {
    const cells = schemas.map((schema) =>
      schema && Object.hasOwn(schema, keyword) ? JSON.stringify(schema[keyword], null, 1) : undefined,
    );
    return { keyword, cells, differs: new Set(cells).size > 1 };
  });
}

class ProfilesView extends InspectorView {
  #showsDifferencesOnly = true;

  render({ profiles }: ToolInspection): TemplateResult {
    const { messages } = this;
    const onChange = (event: Event): void => {
      this.#showsDifferencesOnly = (event.target as HTMLInputElement).checked;
      this.host.requestUpdate();
    };
    const names = allKeys(profiles.map(({ parameters }) => parameters));
    return html`<label class="row"
        ><input
          type="checkbox"
          .checked=${this.#showsDifferencesOnly}
          @change=${onChange}
        />${messages.onlyDifferences}</label
      >
      ${names.length === 0 ? html`<p class="quiet">${messages.noParameters}</p>` : nothing}
      ${names.map((name) => this.#parameter(name, profiles))}`;
  }

  #parameter(name: string, profiles: readonly ProfileView[]): TemplateResult {
    const { messages } = this;
    const rows = compareParameter(name, profiles).filter(({ differs }) => differs || !this.#showsDifferencesOnly);
    const title = html`<h3><code>${name}</code></h3>`;
    if (rows.length === 0)
      return html`${title}
        <p class="quiet">${messages.noDifferences}</p>`;
    return html`${title}
      <table class="differences" role="table" aria-label=${name}>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">${messages.keyword}</th>
            ${profiles.map(({ profile }) => html`<th scope="col" role="columnheader">${profile}</th>`)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${rows.map((row) => this.#row(row, name, profiles))}
        </tbody>
      </table>`;
  }

  #row({ keyword, cells, differs }: Row, name: string, profiles: readonly ProfileView[]): TemplateResult {
    const { messages } = this;
    const cell = (text: string | undefined, index: number): TemplateResult => {
      const { profile = '', parameters = {} } = profiles[index] ?? {};
      const none = Object.hasOwn(parameters, name) ? '–' : messages.absent;
      return html`<td role="cell" data-profile=${profile}>
        ${text === undefined ? html`<span class="quiet">${none}</span>` : html`<code>${beginning(text)}</code>`}
      </td>`;
    };
    return html`<tr role="row" class=${differs ? 'differs' : 'same'}>
      <th scope="row" role="rowheader">
        <code>${keyword}</code> ${differs ? html`<span class="badge mark">${messages.differs}</span>` : nothing}
      </th>
      ${cells.map(cell)}
    </tr>`;
  }
}
