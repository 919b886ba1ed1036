import { html, nothing, type TemplateResult } from 'lit';
import { formatMessage } from '../../strings.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import { beginning } from './bounded-text.js';
import type { FormView, ParameterView } from './form-inspection.js';
import { pointAt } from './point-at.js';

/** Lists the texts that describe each parameter, with a button that shows its control. */
export function labelTextsView(host: WebmcpInspector, { parameters }: FormView): TemplateResult {
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
