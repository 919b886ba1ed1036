import { html, nothing, type TemplateResult } from 'lit';
import { formatMessage } from '../../strings.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { ToolEntry } from '../tools.js';
import { beginning, boundedText } from './bounded-text.js';
import { CopyView } from './copy-view.js';
import { InspectionCache } from './inspection-cache.js';
import { formatJson } from './json-text.js';
import type { PanelModel } from './panels.js';
import { ProfilesView } from './profiles-view.js';

/** The definition of a tool, and the differences between the profiles. */
export class SchemaView {
  readonly #host: WebmcpInspector;
  readonly #copy: CopyView;
  readonly #profiles: ProfilesView;
  readonly #inspections: InspectionCache;
  #formatted = { schema: '', text: '' };
  #showsProfiles = false;

  constructor(host: WebmcpInspector) {
    this.#host = host;
    this.#copy = new CopyView(host);
    this.#profiles = new ProfilesView(host);
    this.#inspections = new InspectionCache(host);
  }

  render(model: PanelModel): unknown {
    const { entry } = model;
    if (!entry) return html`<p class="say">${this.#host.messages.choose}</p>`;
    return html`<div class="content">${this.#schema(entry)} ${this.#copy.render(entry)} ${this.#about(entry)}</div>
      ${entry.kind === 'script' ? nothing : this.#differences(model)}`;
  }

  #schema({ key, schema }: ToolEntry): TemplateResult {
    const { messages } = this.#host;
    if (schema !== this.#formatted.schema) this.#formatted = { schema, text: formatJson(schema) ?? schema };
    return schema
      ? boundedText(this.#host, `schema ${key}`, this.#formatted.text, messages.schema)
      : html`<p class="quiet">${messages.noSchema}</p>`;
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
      this.#host.requestUpdate();
    };
    return html`<details class="section profiles" ?open=${this.#showsProfiles} @toggle=${onToggle}>
      <summary>${this.#host.messages.profiles}</summary>
      <div class="content">
        ${this.#showsProfiles ? this.#inspections.render(model, (form) => this.#profiles.render(form)) : nothing}
      </div>
    </details>`;
  }
}
