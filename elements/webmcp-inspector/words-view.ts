import { html, nothing, type TemplateResult } from 'lit';
import { say } from '../strings.js';
import { beginning } from './bounded.js';
import type { InspectorHost } from './host.js';
import type { FormView, ParameterView } from './inspect.js';
import { pointAt } from './point.js';

/** For each parameter of a form's tool, the texts of the page that describe it, and the way to its controls. */
export function wordsView(host: InspectorHost, { parameters }: FormView): TemplateResult {
  const words = host.sentences;
  if (parameters.length === 0) return html`<p class="quiet">${words.noParameters}</p>`;
  return html`<ul class="plain">
    ${parameters.map((parameter) => html`<li>${parameterView(host, parameter)}</li>`)}
  </ul>`;
}

function parameterView(host: InspectorHost, { name, required, words, controls }: ParameterView): TemplateResult {
  const { sentences } = host;
  const point = (): void => pointAt(host, controls[0]?.deref(), name);
  return html`<div class="row">
      <code class="name">${name}</code>
      ${required ? html`<span class="quiet">${sentences.required}</span>` : nothing}
      <button type="button" aria-label=${say(sentences.pointAt, { what: name })} @click=${point}>
        ${sentences.point}
      </button>
    </div>
    ${
      words.length === 0
        ? html`<p class="warning">${sentences.noWords}</p>`
        : html`<dl>
            ${words.map(
              ({ source, text, profiles }) =>
                html`<dt><code>${source}</code></dt>
                  <dd>
                    ${beginning(text)}
                    <span class="quiet">${say(sentences.wordsIn, { profiles: profiles.join(', ') })}</span>
                  </dd>`,
            )}
          </dl>`
    }`;
}
