import { html, type TemplateResult } from 'lit';
import { say } from '../strings.js';
import type { InspectorHost } from './host.js';
import type { DiagnosticView } from './inspect.js';
import { pointAt } from './point.js';

const mostShown = 500;

/** Diagnostics, errors first, each with the way to what it is about. */
export function diagnosticsList(host: InspectorHost, diagnostics: readonly DiagnosticView[]): TemplateResult {
  const words = host.sentences;
  if (diagnostics.length === 0) return html`<p class="quiet">${words.noDiagnostics}</p>`;
  const isError = ({ severity }: DiagnosticView): number => Number(severity === 'error');
  const sorted = diagnostics.toSorted((one, other) => isError(other) - isError(one)).slice(0, mostShown);
  return html`<ul class="plain">
    ${sorted.map((diagnostic) => html`<li>${diagnosticView(host, diagnostic)}</li>`)}
  </ul>`;
}

function diagnosticView(host: InspectorHost, diagnostic: DiagnosticView): TemplateResult {
  const { severity, code, message, tool = '', parameter = '', element } = diagnostic;
  const words = host.sentences;
  const what = [tool, parameter].filter(Boolean).join(', ') || code;
  const point = (): void => pointAt(host, element?.deref(), what);
  return html`<div class="row">
      <strong class=${severity === 'error' ? 'error' : 'warning'}
        >${words[severity === 'error' ? 'fault' : 'warning']}</strong
      >
      <code>${code}</code>
      <code class="quiet">${what}</code>
      <button type="button" aria-label=${say(words.pointAt, { what })} @click=${point}>${words.point}</button>
    </div>
    <p>${message.slice(0, 2000)}</p>`;
}
