import { html, nothing, type TemplateResult } from 'lit';
import { beginning } from './bounded.js';
import type { InspectorHost } from './host.js';
import type { FormView, ProfileView } from './inspect.js';

/** A keyword of a parameter, and what each profile has of it as JSON text; undefined where it has none. */
interface Row {
  readonly keyword: string;
  readonly cells: readonly (string | undefined)[];
  readonly differs: boolean;
}

const allKeys = (records: readonly object[]): string[] => [
  ...new Set(records.flatMap((record) => Object.keys(record))),
];

/** What the profiles say of a parameter, keyword by keyword. */
export function compareParameter(name: string, profiles: readonly ProfileView[]): readonly Row[] {
  const schemas = profiles.map(({ parameters }) => (Object.hasOwn(parameters, name) ? parameters[name] : undefined));
  return allKeys(schemas.map((schema) => schema ?? {})).map((keyword) => {
    const cells = schemas.map((schema) =>
      schema && Object.hasOwn(schema, keyword) ? JSON.stringify(schema[keyword], null, 1) : undefined,
    );
    return { keyword, cells, differs: new Set(cells).size > 1 };
  });
}

/** The three profiles side by side; below each other where there is no room. */
export class ProfilesView {
  readonly #host: InspectorHost;
  #isShort = true;

  constructor(host: InspectorHost) {
    this.#host = host;
  }

  render({ profiles }: FormView): TemplateResult {
    const words = this.#host.sentences;
    const onChange = (event: Event): void => {
      this.#isShort = (event.target as HTMLInputElement).checked;
      this.#host.requestUpdate();
    };
    const names = allKeys(profiles.map(({ parameters }) => parameters));
    return html`<label class="row"
        ><input type="checkbox" .checked=${this.#isShort} @change=${onChange} />${words.onlyDifferences}</label
      >
      ${names.length === 0 ? html`<p class="quiet">${words.noParameters}</p>` : nothing}
      ${names.map((name) => this.#parameter(name, profiles))}`;
  }

  #parameter(name: string, profiles: readonly ProfileView[]): TemplateResult {
    const words = this.#host.sentences;
    const rows = compareParameter(name, profiles).filter(({ differs }) => differs || !this.#isShort);
    const title = html`<h3><code>${name}</code></h3>`;
    if (rows.length === 0)
      return html`${title}
        <p class="quiet">${words.noDifferences}</p>`;
    return html`${title}
      <table class="profiles" role="table" aria-label=${name}>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">${words.keyword}</th>
            ${profiles.map(({ profile }) => html`<th scope="col" role="columnheader">${profile}</th>`)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${rows.map((row) => this.#row(row, name, profiles))}
        </tbody>
      </table>`;
  }

  #row({ keyword, cells, differs }: Row, name: string, profiles: readonly ProfileView[]): TemplateResult {
    const words = this.#host.sentences;
    const cell = (text: string | undefined, index: number): TemplateResult => {
      const { profile = '', parameters = {} } = profiles[index] ?? {};
      const none = Object.hasOwn(parameters, name) ? '–' : words.absent;
      return html`<td role="cell" data-profile=${profile}>
        ${text === undefined ? html`<span class="quiet">${none}</span>` : html`<code>${beginning(text)}</code>`}
      </td>`;
    };
    return html`<tr role="row" class=${differs ? 'differs' : 'same'}>
      <th scope="row" role="rowheader">
        <code>${keyword}</code> ${differs ? html`<span class="badge mark">${words.differs}</span>` : nothing}
      </th>
      ${cells.map(cell)}
    </tr>`;
  }
}
