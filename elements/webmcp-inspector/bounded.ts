import { html, nothing, type TemplateResult } from 'lit';
import { say } from '../strings.js';
import type { InspectorHost } from './host.js';

const most = { lines: 60, characters: 8_000 };

const asWhole = new WeakMap<InspectorHost, Set<string>>();

const wholeOf = (host: InspectorHost): Set<string> => {
  const set = asWhole.get(host) ?? new Set();
  asWhole.set(host, set);
  return set;
};

/** The beginning of a text, as much of it as can be shown at once. */
export function beginning(text: string): string {
  let end = -1;
  for (let line = 0; line < most.lines; line++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return text.slice(0, most.characters);
  }
  return text.slice(0, Math.min(end, most.characters));
}

const linesOf = (text: string): number => {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
};

/**
 * A text of any size: its beginning, and the rest when it is asked for.
 *
 * @param id - stands for the text while it is shown
 */
export function bounded(host: InspectorHost, id: string, text: string, label: string): TemplateResult {
  const start = beginning(text);
  if (start.length === text.length || wholeOf(host).has(id)) return pre(text, label);
  const showAll = (): void => {
    wholeOf(host).add(id);
    host.requestUpdate();
  };
  const button = html`<div>
    <button type="button" @click=${showAll}>${say(host.sentences.showAll, { lines: linesOf(text) })}</button>
  </div>`;
  return html`${pre(start, label, '…')}${button}`;
}

const pre = (text: string, label: string, end = ''): TemplateResult =>
  html`<pre class="text" role="group" tabindex="0" aria-label=${label}>${text}${end || nothing}</pre>`;
