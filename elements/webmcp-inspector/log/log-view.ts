import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { formatMessage } from '../../strings.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import { boundedText, expandedIn } from '../view/bounded-text.js';
import { InspectorView } from '../view/inspector-view.js';
import { formatJson } from '../view/json-text.js';
import { callErrorOf, type LogEntry, type CallError } from './log.js';

/** The calls and the events of the page, newest first. */
export class LogView extends InspectorView {
  render(): TemplateResult {
    const { messages, log } = this.host;
    const entries = log?.entries ?? [];
    return html`<div class="content" part="log">
      ${
        entries.length === 0
          ? html`<p class="quiet">${messages.nothingLogged}</p>`
          : html`<div class="row"><button type="button" @click=${() => log?.clear()}>${messages.clear}</button></div>
              <ol class="entries">
                ${repeat(
                  entries,
                  ({ id }) => id,
                  (entry) => html`<li>${lineOf(this.host, entry)}</li>`,
                )}
              </ol>`
      }
    </div>`;
  }
}

const hasMore = ({ input, result, error }: LogEntry): boolean =>
  input !== undefined || result !== undefined || error !== undefined;

const lineOf = (host: WebmcpInspector, entry: LogEntry): TemplateResult =>
  html`${hasMore(entry) ? detailsOf(host, entry) : html`<p class="line">${headOf(host, entry)}</p>`}
  ${cancelButton(host, entry)}`;

function cancelButton({ messages }: WebmcpInspector, { cancel, tool }: LogEntry): TemplateResult | typeof nothing {
  const label = formatMessage(messages.cancelCall, { tool });
  return cancel
    ? html`<button type="button" aria-label=${label} @click=${cancel}>${messages.cancel}</button>`
    : nothing;
}

/** The details of an entry. They are rendered only after the entry has been opened. */
function detailsOf(host: WebmcpInspector, entry: LogEntry): TemplateResult {
  const opened = expandedIn(host);
  const id = `entry ${String(entry.id)}`;
  const onToggle = ({ currentTarget }: Event): void => {
    if ((currentTarget as HTMLDetailsElement).open) opened.add(id);
    host.requestUpdate();
  };
  return html`<details @toggle=${onToggle}>
    <summary class="line">${headOf(host, entry)}</summary>
    <div class="content">${opened.has(id) ? bodyOf(host, entry) : nothing}</div>
  </details>`;
}

function headOf(host: WebmcpInspector, entry: LogEntry): TemplateResult {
  const { messages } = host;
  const { time, type, tool, count, message } = entry;
  const date = new Date(time);
  const reason = failureIn(entry) ? reasonOf(entry) : message;
  return html`<time dir="auto" datetime=${date.toISOString()}>${date.toLocaleTimeString()}</time> ${messages[type]}
    ${tool ? html`<code>${tool.slice(0, 128)}</code>` : nothing}
    ${count ? formatMessage(messages.times, { count }) : nothing} ${stateOf(host, entry)}
    ${reason ? html`<span>${reason.slice(0, 500)}</span>` : nothing}`;
}

function stateOf({ messages }: WebmcpInspector, entry: LogEntry): TemplateResult {
  const { milliseconds } = entry;
  const state = entry.state === 'done' && failureIn(entry) ? 'failed' : entry.state;
  return html`${state ? html`<strong class=${state}>${messages[state]}</strong>` : nothing}
  ${milliseconds === undefined ? nothing : formatMessage(messages.duration, { ms: milliseconds.toFixed(1) })}`;
}

const reasonOf = (entry: LogEntry): string => {
  const { name = '', message = '', errors = [] } = failureIn(entry) ?? {};
  return errors[0]?.[2] || [name, message].filter(Boolean).join(': ');
};

const failures = new WeakMap<LogEntry, CallError | undefined>();

/** The error of a call. With native WebMCP, the tools of this package return errors as results. */
export function failureIn(entry: LogEntry): CallError | undefined {
  if (entry.error || !entry.result?.startsWith('{"isError":true')) return entry.error;
  if (!failures.has(entry)) failures.set(entry, failureOf(entry.result));
  return failures.get(entry);
}

function failureOf(result: string): CallError | undefined {
  try {
    return callErrorOf(JSON.parse(result));
  } catch {
    return undefined;
  }
}

/** The reason for a failure comes first, and the input last. */
function bodyOf(host: WebmcpInspector, entry: LogEntry): TemplateResult {
  const { id, input } = entry;
  return html`${answerOf(host, entry)}
  ${input === undefined ? nothing : textOf(host, `${String(id)} input`, host.messages.input, input)}`;
}

function answerOf(host: WebmcpInspector, entry: LogEntry): TemplateResult {
  const { id, result } = entry;
  const { messages } = host;
  const failure = failureIn(entry);
  return html`${failure ? errorOf(host, failure, `${String(id)} error`) : nothing}
  ${
    result === undefined ? nothing : textOf(host, `${String(id)} result`, messages.result, result ?? messages.navigated)
  }`;
}

/** The state and the outcome of the latest call of a tool. */
export const outcomeOf = (host: WebmcpInspector, entry: LogEntry): TemplateResult =>
  html`<p class="row">${stateOf(host, entry)} ${cancelButton(host, entry)}</p>
    ${answerOf(host, entry)}`;

const textOf = (host: WebmcpInspector, id: string, label: string, text: string): TemplateResult =>
  html`<h3>${label}</h3>
    ${boundedText(host, id, formatted(text), label)}`;

const formattedTexts = new Map<string, string>();

/** Formats a JSON object or array. The latest results are cached. */
function formatted(text: string): string {
  const known = formattedTexts.get(text);
  if (known !== undefined) return known;
  const result = /^\s*[{[]/.test(text) ? (formatJson(text) ?? text) : text;
  if (formattedTexts.size > 20) formattedTexts.clear();
  formattedTexts.set(text, result);
  return result;
}

/** The message of an error, or the messages of its parameters. */
function errorOf(host: WebmcpInspector, { name, message, errors }: CallError, id: string): TemplateResult {
  const { messages } = host;
  const whole = [name, message].filter(Boolean).join(': ');
  return html`<h3>${messages.error}</h3>
    ${
      errors.length === 0
        ? boundedText(host, id, whole, messages.error)
        : html`<dl class="errors">
            ${errors.map(
              ([parameter, code, text]) =>
                html`<dt><code>${parameter.slice(0, 500)}</code></dt>
                  <dd>${text.slice(0, 2000)} <code class="quiet">${code.slice(0, 500)}</code></dd>`,
            )}
          </dl>`
    }`;
}
