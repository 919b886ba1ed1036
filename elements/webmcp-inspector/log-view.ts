import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { say } from '../strings.js';
import { bounded } from './bounded.js';
import type { InspectorHost } from './host.js';
import { journalError, type JournalEntry, type JournalError } from './journal.js';
import { formatJson } from './json-text.js';

/** Entries whose details have been opened are filled then, and not before. */
const opened = new WeakMap<InspectorHost, Set<number>>();

function openedOf(host: InspectorHost): Set<number> {
  const set = opened.get(host) ?? new Set();
  opened.set(host, set);
  return set;
}

/** Lines of the log, newest first. */
export const logView = (host: InspectorHost, entries: readonly JournalEntry[]): TemplateResult =>
  html`<ol class="entries">
    ${repeat(
      entries,
      ({ id }) => id,
      (entry) => html`<li>${lineOf(host, entry)}</li>`,
    )}
  </ol>`;

const hasMore = ({ input, result, error }: JournalEntry): boolean =>
  input !== undefined || result !== undefined || error !== undefined;

function lineOf(host: InspectorHost, entry: JournalEntry): TemplateResult {
  const { cancel, tool } = entry;
  const words = host.sentences;
  const button = html`<button type="button" aria-label=${say(words.cancelCall, { tool })} @click=${cancel}>
    ${words.cancel}
  </button>`;
  return html`${hasMore(entry) ? unfolding(host, entry) : html`<p class="line">${headOf(host, entry)}</p>`}
  ${cancel ? button : nothing}`;
}

function unfolding(host: InspectorHost, entry: JournalEntry): TemplateResult {
  const onToggle = ({ currentTarget }: Event): void => {
    if ((currentTarget as HTMLDetailsElement).open) openedOf(host).add(entry.id);
    host.requestUpdate();
  };
  return html`<details @toggle=${onToggle}>
    <summary class="line">${headOf(host, entry)}</summary>
    <div class="content">${openedOf(host).has(entry.id) ? bodyOf(host, entry) : nothing}</div>
  </details>`;
}

function headOf({ sentences }: InspectorHost, entry: JournalEntry): TemplateResult {
  const { time, type, tool, state, milliseconds, count, message } = entry;
  const isFailed = state === 'done' && failureIn(entry) !== undefined;
  const date = new Date(time);
  return html`<time dir="auto" datetime=${date.toISOString()}>${date.toLocaleTimeString()}</time> ${sentences[type]}
    ${tool ? html`<code>${tool.slice(0, 128)}</code>` : nothing} ${count ? say(sentences.times, { count }) : nothing}
    ${state ? html`<span class=${isFailed ? 'failed' : state}>${sentences[isFailed ? 'failed' : state]}</span>` : nothing}
    ${milliseconds === undefined ? nothing : say(sentences.duration, { ms: milliseconds.toFixed(1) })}
    ${message ? html`<span>${message.slice(0, 500)}</span>` : nothing}`;
}

const failures = new WeakMap<JournalEntry, JournalError | undefined>();

/** What a call has failed with: natively, the failure of a tool of ours is its result. */
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

function bodyOf(host: InspectorHost, entry: JournalEntry): TemplateResult {
  const { id, input, result } = entry;
  const words = host.sentences;
  const failure = failureIn(entry);
  return html`${input === undefined ? nothing : textOf(host, `${String(id)} input`, words.input, input)}
  ${result === undefined ? nothing : textOf(host, `${String(id)} result`, words.result, result ?? words.navigated)}
  ${failure ? errorOf(host, failure, `${String(id)} error`) : nothing}`;
}

const textOf = (host: InspectorHost, id: string, label: string, text: string): TemplateResult =>
  html`<h3>${label}</h3>
    ${bounded(host, id, formatted(text), label)}`;

const texts = new Map<string, string>();

/** A text as JSON with line breaks if it is an object or an array; the last one is kept. */
function formatted(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const result = /^\s*[{[]/.test(text) ? (formatJson(text) ?? text) : text;
  if (texts.size > 20) texts.clear();
  texts.set(text, result);
  return result;
}

function errorOf(host: InspectorHost, { name, message, errors }: JournalError, id: string): TemplateResult {
  const words = host.sentences;
  const table = html`<div class="scroll" role="group" tabindex="0" aria-label=${words.error}>
    <table>
      <thead>
        <tr>
          <th scope="col">${words.parameter}</th>
          <th scope="col">${words.code}</th>
          <th scope="col">${words.message}</th>
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
  return html`<h3>${words.error}</h3>
    ${bounded(host, id, [name, message].filter(Boolean).join(': '), words.error)} ${errors.length > 0 ? table : nothing}`;
}
