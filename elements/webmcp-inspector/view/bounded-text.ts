import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatMessage } from '../../strings.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';

const limits = { lines: 60, characters: 8_000 };

const expanded = new WeakMap<WebmcpInspector, Set<string>>();

/** The IDs of the strings and log entries that the user has expanded. */
export function expandedIn(host: WebmcpInspector): Set<string> {
  const set = expanded.get(host) ?? new Set();
  expanded.set(host, set);
  return set;
}

/** The part of a string that is shown at first. */
export function beginning(text: string): string {
  let end = -1;
  for (let line = 0; line < limits.lines; line++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return text.slice(0, limits.characters);
  }
  return text.slice(0, Math.min(end, limits.characters));
}

const lineCount = (text: string): number => {
  let count = 1;
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) count++;
  return count;
};

/**
 * The beginning of a string, with a button that shows the rest.
 *
 * @param id - identifies the string, even when it changes
 */
export function boundedText(host: WebmcpInspector, id: string, text: string, label: string): TemplateResult {
  const start = beginning(text);
  if (start.length === text.length || expandedIn(host).has(id)) return pre(text, label);
  const showAll = (): void => {
    expandedIn(host).add(id);
    host.requestUpdate();
  };
  const button = html`<div>
    <button type="button" @click=${showAll}>${formatMessage(host.messages.showAll, { lines: lineCount(text) })}</button>
  </div>`;
  return html`${pre(start, label, '…')}${button}`;
}

const pre = (text: string, label: string, end = ''): TemplateResult =>
  html`<pre class="text" role="group" tabindex="0" aria-label=${label}>
${guard([text], () => colored(text))}${end || nothing}</pre>`;

/** The maximum length of JSON text that is colored, because each token becomes an element. */
const maxColored = 20_000;

const token =
  /(?<string>"[^"\\]*(?:\\.[^"\\]*)*"?)(?<key>\s*:)?|(?<number>-?\d[\d.eE+-]*)|(?<literal>\b(?:true|false|null)\b)/gs;

/** JSON text with colors. Other text is returned unchanged. */
function colored(text: string): unknown {
  if (!/^[[{]/.test(text) || text.length > maxColored) return text;
  const parts: unknown[] = [];
  let end = 0;
  for (const { 0: all, index, groups = {} } of text.matchAll(token)) {
    const { string, key, number } = groups;
    const kind = key ? 'key' : string ? 'string' : number ? 'number' : 'literal';
    parts.push(text.slice(end, index), html`<span class=${kind}>${string ?? all}</span>`, key ?? nothing);
    end = index + all.length;
  }
  return [...parts, text.slice(end)];
}
