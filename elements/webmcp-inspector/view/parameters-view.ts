import { html, nothing, type TemplateResult } from 'lit';
import type { ProfileName } from '../../../src/index.js';
import { formatMessage } from '../../strings.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { Show, ToolInspection } from '../source.js';
import { beginning } from './bounded-text.js';
import type { ExcludedView, ParameterView } from './form-view.js';
import { InspectionCache } from './form-inspection.js';
import { InspectorView, type PanelModel } from './inspector-view.js';
import { showButton } from './point-at.js';

const maxExcluded = 200;

/** The parameters with the sources of their descriptions, and the controls that are not parameters with the reasons. */
export class ParametersView extends InspectorView {
  readonly #inspections = new InspectionCache(this.host);

  render(model: PanelModel): TemplateResult {
    return html`<div class="content">${this.#inspections.render(model, (form) => this.#parameters(form))}</div>`;
  }

  #parameters({ parameters, excluded, profiles }: ToolInspection): TemplateResult {
    const host = this.host;
    const { messages } = host;
    const count = profiles.length;
    return html`${
      parameters.length === 0
        ? html`<p class="quiet">${messages.noParameters}</p>`
        : html`<ul class="plain">
            ${parameters.map((parameter) => html`<li>${parameterView(host, parameter, count)}</li>`)}
          </ul>`
    }
    ${
      excluded.length === 0
        ? nothing
        : html`<h3>${messages.excluded}</h3>
            <ul class="plain excluded">
              ${excluded.slice(0, maxExcluded).map((each) => html`<li>${excludedView(host, each, count)}</li>`)}
            </ul>`
    }`;
  }
}

/** The names of the profiles; nothing if the list contains all profiles. */
const inProfiles = (
  { messages }: WebmcpInspector,
  profiles: readonly ProfileName[],
  count: number,
): TemplateResult | typeof nothing =>
  profiles.length === count
    ? nothing
    : html`<span class="quiet">${formatMessage(messages.inProfiles, { profiles: profiles.join(', ') })}</span>`;

function parameterView(
  host: WebmcpInspector,
  { name, profiles, requiredIn, texts, show }: ParameterView<Show | undefined>,
  count: number,
): TemplateResult {
  const { messages } = host;
  const required = requiredIn.length === profiles.length ? messages.required : messages.requiredIn;
  return html`<div class="row">
      <code class="name">${name || messages.noName}</code> ${inProfiles(host, profiles, count)}
      ${
        requiredIn.length === 0
          ? nothing
          : html`<span class="quiet">${formatMessage(required, { profiles: requiredIn.join(', ') })}</span>`
      }
      ${showButton(host, show, name)}
    </div>
    ${
      texts.length === 0
        ? html`<p class="warning">${messages.noWords}</p>`
        : html`<dl>
            ${texts.map(
              ({ source, text, profiles: using }) =>
                html`<dt><code>${source}</code></dt>
                  <dd>
                    ${beginning(text)} ${using.length < profiles.length ? inProfiles(host, using, count) : nothing}
                  </dd>`,
            )}
          </dl>`
    }`;
}

function excludedView(
  host: WebmcpInspector,
  { name, label, type, code, message, profiles, show }: ExcludedView<Show | undefined>,
  count: number,
): TemplateResult {
  const { messages } = host;
  const what = name || label || type;
  return html`<div class="row">
      ${name ? html`<code class="name">${name.slice(0, 200)}</code>` : html`<span class="name">${messages.noName}</span>`}
      <span class="badge">${type}</span>
      ${name && !label ? nothing : html`<span dir="auto">${label.slice(0, 100)}</span>`} ${showButton(host, show, what)}
    </div>
    <p>${message.slice(0, 2000)} ${inProfiles(host, profiles, count)} <code class="quiet">${code}</code></p>`;
}
