import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { formatMessage } from '../strings.js';
import type { WebmcpInspector } from '../webmcp-inspector.js';
import type { InspectorStrings } from './strings.js';
import type { Mark, ToolEntry } from './tools.js';

const maxTextLength = 160;

/** Estimated heights in pixels, used until the row and the list are measured. */
const estimate = { row: 60, height: 520 };

/** The number of rows rendered above and below the visible rows. */
const overscan = 10;

interface ListModel {
  readonly entries: readonly ToolEntry[];
  readonly marks: ReadonlyMap<string, Mark>;
  readonly selected: string;
  readonly messages: InspectorStrings;
}

/** @param text - in lower case */
export const matchesFilter = ({ name, title, description }: ToolEntry, text: string): boolean =>
  [name, title, description].some((each) => each.toLowerCase().includes(text));

const badge = (text: string, kind = ''): TemplateResult => html`<span class="badge ${kind}">${text}</span>`;

const keyOf = (event: Event): string | undefined =>
  (event.target as Element).closest<HTMLElement>('[role=option]')?.dataset['key'];

/** The index of the option that a key moves to; undefined for other keys. */
function targetOf(event: KeyboardEvent, index: number, entries: readonly ToolEntry[]): number | undefined {
  const { key, ctrlKey, altKey, metaKey } = event;
  if (ctrlKey || altKey || metaKey) return undefined;
  const last = entries.length - 1;
  const moves: Partial<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + 10,
    PageUp: index - 10,
    Home: 0,
    End: last,
  };
  const target = moves[key] ?? (key.length === 1 && key !== ' ' ? nextStartingWith(key, index, entries) : undefined);
  return target === undefined ? undefined : Math.max(0, Math.min(last, target));
}

function nextStartingWith(letter: string, index: number, entries: readonly ToolEntry[]): number | undefined {
  const begins = ({ name }: ToolEntry): boolean => name.toLowerCase().startsWith(letter.toLowerCase());
  const next = entries.findIndex((entry, position) => position > index && begins(entry));
  const found = next < 0 ? entries.findIndex(begins) : next;
  return found < 0 ? undefined : found;
}

/**
 * The tools as a listbox. Arrow keys, Home, End and letters move; Enter, Space and a click select. Only the visible
 * rows and the rows next to them are rendered. The listbox itself has the focus, so that rows can be removed.
 */
export class ToolList {
  readonly #host: WebmcpInspector;
  #entries: readonly ToolEntry[] = [];
  #active = '';
  #index = 0;
  #top = 0;
  #size = { row: estimate.row, height: estimate.height };
  #rendered = { start: 0, count: 0 };
  #isMeasured = false;
  #isMoved = false;

  constructor(host: WebmcpInspector) {
    this.#host = host;
  }

  /** The values besides the model that the rows depend on. */
  get state(): readonly unknown[] {
    return [this.#active, this.#start, this.#size];
  }

  render(model: ListModel): TemplateResult {
    this.#entries = model.entries;
    this.#index = this.#activeIndex(model);
    const start = this.#start;
    const count = this.#count;
    this.#rendered = { start, count };
    const rows = model.entries.slice(start, start + count);
    const isActiveRendered = this.#index >= start && this.#index < start + rows.length;
    return html`<ul
      role="listbox"
      part="list"
      tabindex="0"
      aria-label=${model.messages.label}
      aria-activedescendant=${isActiveRendered ? `tool-${String(this.#index)}` : nothing}
      @click=${this.#onClick}
      @keydown=${this.#onKey}
      @scroll=${this.#onScroll}
    >
      ${repeat(
        rows,
        ({ key }) => key,
        (entry, index) => this.#row(entry, start + index, model),
      )}
    </ul>`;
  }

  /** Reserves the height of the rows that are not rendered. */
  rendered(): void {
    const list = this.#list;
    if (!list) return;
    if (!this.#isMeasured) this.#measure(list);
    const { row } = this.#size;
    const { start, count } = this.#rendered;
    list.style.setProperty('--_before', `${String(start * row)}px`);
    list.style.setProperty('--_after', `${String(Math.max(0, this.#entries.length - start - count) * row)}px`);
    if (this.#isMoved) this.#reveal(list);
    this.#isMoved = false;
  }

  /** Scrolls only the list, not the page. */
  #reveal(list: HTMLElement): void {
    const { row } = this.#size;
    const [from, to] = [this.#index * row, (this.#index + 1) * row];
    if (from < list.scrollTop) list.scrollTop = from;
    if (to > list.scrollTop + list.clientHeight) list.scrollTop = to - list.clientHeight;
    this.#scrolled(list);
  }

  #scrolled(list: HTMLElement): void {
    this.#top = list.scrollTop;
    this.#measure(list);
    if (this.#start !== this.#rendered.start) this.#update();
  }

  #update(): void {
    queueMicrotask(() => this.#host.requestUpdate());
  }

  get #list(): HTMLElement | null {
    return this.#host.renderRoot.querySelector('[role=listbox]');
  }

  get #count(): number {
    return Math.ceil(this.#size.height / this.#size.row) + 2 * overscan;
  }

  get #start(): number {
    const last = Math.max(0, this.#entries.length - this.#count);
    return Math.max(0, Math.min(last, Math.floor(this.#top / this.#size.row) - overscan));
  }

  /**
   * The index of the active tool, which is initially the selected or first tool. If the active tool was removed, the
   * index of the tool at its position.
   */
  #activeIndex({ entries, selected }: ListModel): number {
    const index = entries.findIndex(({ key }) => key === (this.#active || selected));
    const found = index < 0 ? Math.max(0, Math.min(this.#index, entries.length - 1)) : index;
    if (this.#active) this.#active = entries[found]?.key ?? '';
    return found;
  }

  #measure(list: HTMLElement): void {
    const option = list.querySelector('[role=option]');
    const row = option ? parseFloat(getComputedStyle(option).blockSize) : NaN;
    if (!(row > 0)) return;
    this.#isMeasured = true;
    const height = Math.max(list.clientHeight, this.#size.height);
    if (row === this.#size.row && height === this.#size.height) return;
    this.#size = { row, height };
    this.#update();
  }

  #row(entry: ToolEntry, index: number, { messages, marks, selected, entries }: ListModel): TemplateResult {
    const { key, name, title, description, kind, page } = entry;
    const mark = marks.get(key);
    const start = (title || description).slice(0, maxTextLength);
    return html`<li
      role="option"
      part="tool"
      id="tool-${index}"
      data-key=${key}
      class=${index === this.#index ? 'active' : ''}
      aria-selected=${key === selected}
      aria-posinset=${index + 1}
      aria-setsize=${entries.length}
    >
      <span class="name">${name}</span>
      <span class="badges"
        >${mark ? badge(messages[mark], 'mark') : nothing} ${badge(messages[kind])}
        ${entry.hints.map((hint) => badge(messages[hint]))}</span
      >
      <span class="start" dir="auto"
        >${page ? `${formatMessage(messages.inPage, { page: page.slice(0, maxTextLength) })} ` : nothing}${start}</span
      >
    </li>`;
  }

  readonly #onScroll = ({ currentTarget }: Event): void => this.#scrolled(currentTarget as HTMLElement);

  readonly #onClick = (event: Event): void => {
    const key = keyOf(event);
    if (key === undefined) return;
    this.#active = key;
    this.#host.select(key);
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const target = targetOf(event, this.#index, this.#entries);
    const isSelection = event.key === 'Enter' || event.key === ' ';
    if (target === undefined && !isSelection) return;
    event.preventDefault();
    if (target !== undefined) return this.#move(target);
    const active = this.#entries[this.#index];
    if (active) this.#host.select(active.key);
  };

  #move(index: number): void {
    this.#active = this.#entries[index]?.key ?? '';
    this.#index = index;
    this.#top = Math.max(0, (index + 1) * this.#size.row - this.#size.height);
    this.#isMoved = true;
    this.#host.requestUpdate();
  }
}
