import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { formatMessage } from '../../strings.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import { boundedText } from '../view/bounded-text.js';
import { formatJson } from '../view/json-text.js';
import { journalError, type JournalEntry, type JournalError } from './journal.js';

/** Only entries that were opened render their details. */
const opened = new WeakMap<WebmcpInspector, Set<number>>();

function openedOf(host: WebmcpInspector): Set<number> {
  const set = opened.get(host) ?? new Set();
  opened.set(host, set);
  return set;
}

export const logView = (host: WebmcpInspector, entries: readonly JournalEntry[]): TemplateResult =>
  html`<ol class="entries">
    ${repeat(
      entries,
      ({ id }) => id,
      (entry) => html`<li>${lineOf(host, entry)}</li>`,
    )}
  </ol>`;

const hasMore = ({ input, result, error }: JournalEntry): boolean =>
  input !== undefined || result !== undefined || error !== undefined;

function lineOf(host: WebmcpInspector, entry: JournalEntry): TemplateResult {
  const { cancel, tool } = entry;
  const { messages } = host;
  const button = html`<button type="button" aria-label=${formatMessage(messages.cancelCall, { tool })} @click=${cancel}>
    ${messages.cancel}
  </button>`;
  return html`${hasMore(entry) ? detailsOf(host, entry) : html`<p class="line">${headOf(host, entry)}</p>`}
  ${cancel ? button : nothing}`;
}

function detailsOf(host: WebmcpInspector, entry: JournalEntry): TemplateResult {
  const onToggle = ({ currentTarget }: Event): void => {
    if ((currentTarget as HTMLDetailsElement).open) openedOf(host).add(entry.id);
    host.requestUpdate();
  };
  return html`<details @toggle=${onToggle}>
    <summary class="line">${headOf(host, entry)}</summary>
    <div class="content">${openedOf(host).has(entry.id) ? bodyOf(host, entry) : nothing}</div>
  </details>`;
}

function headOf({ messages }: WebmcpInspector, entry: JournalEntry): TemplateResult {
  const { time, type, tool, state, milliseconds, count, message } = entry;
  const isFailed = state === 'done' && failureIn(entry) !== undefined;
  const date = new Date(time);
  return html`<time dir="auto" datetime=${date.toISOString()}>${date.toLocaleTimeString()}</time> ${messages[type]}
    ${tool ? html`<code>${tool.slice(0, 128)}</code>` : nothing}
    ${count ? formatMessage(messages.times, { count }) : nothing}
    ${state ? html`<span class=${isFailed ? 'failed' : state}>${messages[isFailed ? 'failed' : state]}</span>` : nothing}
    ${milliseconds === undefined ? nothing : formatMessage(messages.duration, { ms: milliseconds.toFixed(1) })}
    ${message ? html`<span>${message.slice(0, 500)}</span>` : nothing}`;
}

const failures = new WeakMap<JournalEntry, JournalError | undefined>();

/** The error of a call. With native WebMCP, the tools of this package return errors as results. */
function failureIn(entry: JournalEntry): JournalError | undefined {
  if (entry.error || !entry.result?.startsWith('{"isError":true')) return entry.error;
  if (!failures.has(entry)) failures.set(entry, failureOf(entry.result));
  return failures.get(entry);
}

function failureOf(result: string): JournalError | undefined {
  try {
    return journalError(JSON.parse(result));
  } catch {
    return undefined;
  }
}

function bodyOf(host: WebmcpInspector, entry: JournalEntry): TemplateResult {
  const { id, input, result } = entry;
  const { messages } = host;
  const failure = failureIn(entry);
  return html`${input === undefined ? nothing : textOf(host, `${String(id)} input`, messages.input, input)}
  ${result === undefined ? nothing : textOf(host, `${String(id)} result`, messages.result, result ?? messages.navigated)}
  ${failure ? errorOf(host, failure, `${String(id)} error`) : nothing}`;
}

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

function errorOf(host: WebmcpInspector, { name, message, errors }: JournalError, id: string): TemplateResult {
  const { messages } = host;
  const table = html`<div class="scroll" role="group" tabindex="0" aria-label=${messages.error}>
    <table>
      <thead>
        <tr>
          <th scope="col">${messages.parameter}</th>
          <th scope="col">${messages.code}</th>
          <th scope="col">${messages.message}</th>
        </tr>
      </thead>
      <tbody>
        ${errors.map(
          ([parameter, code, text]) =>
            html`<tr>
              <td>${parameter.slice(0, 500)}</td>
              <td><code>${code.slice(0, 500)}</code></td>
              <td>${text.slice(0, 2000)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
  return html`<h3>${messages.error}</h3>
    ${boundedText(host, id, [name, message].filter(Boolean).join(': '), messages.error)}
    ${errors.length > 0 ? table : nothing}`;
}
