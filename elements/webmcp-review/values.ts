import { html, nothing, svg, type TemplateResult } from 'lit';
import { say } from '../strings.js';
import { clean, short } from './labels.js';
import type { Shown } from './rows.js';
import type { ReviewString } from './strings.js';

export interface Locale {
  readonly words: Readonly<Record<ReviewString, string>>;
  /** A language tag; undefined for the browser's. */
  readonly language: string | undefined;
}

const most = { characters: 160, lines: 4 };

/** A value as a person reads it; all of it is text. */
export function valueTemplate(shown: Shown, locale: Locale): TemplateResult {
  switch (shown.kind) {
    case 'text':
      return shown.texts.length === 1 ? text(shown.texts[0] ?? '', locale) : list(shown.texts, locale);
    case 'color':
      return html`${swatch(shown.value)}${text(shown.value, locale)}`;
    case 'date':
      return text(dateText(shown.value, shown.type, locale), locale);
    case 'files':
      return list(
        shown.files.map((file) => fileText(file, locale)),
        locale,
      );
    default:
      return html`<span class="word">${locale.words[shown.kind]}</span>`;
  }
}

const list = (texts: readonly string[], locale: Locale): TemplateResult =>
  html`<ul role="list">
    ${texts.map((each) => html`<li>${text(each, locale)}</li>`)}
  </ul>`;

function text(given: string, { words }: Locale): TemplateResult {
  const value = clean(given);
  const start = short(firstLines(value), most.characters);
  if (start === value) return html`<bdi class="text">${value}</bdi>`;
  return html`<bdi class="text">${start}</bdi>
    <details>
      <summary>${words.showAll}</summary>
      <bdi class="text">${value}</bdi>
    </details>`;
}

function firstLines(text: string): string {
  const lines = text.split('\n');
  return lines.length > most.lines ? `${lines.slice(0, most.lines).join('\n')}…` : text;
}

const swatch = (color: string): TemplateResult =>
  html`<svg part="swatch" class="swatch" viewBox="0 0 1 1" aria-hidden="true">
    ${svg`<rect width="1" height="1" fill=${color || nothing} />`}
  </svg>`;

const dates: Readonly<
  Record<string, { readonly prefix?: string; readonly suffix: string; readonly options: Intl.DateTimeFormatOptions }>
> = {
  date: { suffix: 'T00:00Z', options: { dateStyle: 'full' } },
  'datetime-local': { suffix: 'Z', options: { dateStyle: 'full', timeStyle: 'short' } },
  month: { suffix: '-01T00:00Z', options: { year: 'numeric', month: 'long' } },
  time: { prefix: '1970-01-01T', suffix: 'Z', options: { timeStyle: 'short' } },
};

/** The date as the page's readers write it, and as the form holds it. */
function dateText(value: string, type: string, { language }: Locale): string {
  const form = dates[type];
  const date = new Date(form ? `${form.prefix ?? ''}${value}${form.suffix}` : NaN);
  if (!form || Number.isNaN(date.getTime())) return value;
  return `${format(language, (tag) => new Intl.DateTimeFormat(tag, { ...form.options, timeZone: 'UTC' }).format(date))} (${value})`;
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

function fileText({ name, size }: File, { words, language }: Locale): string {
  const power = size > 0 ? Math.min(Math.floor(Math.log10(size) / 3), units.length - 1) : 0;
  const options: Intl.NumberFormatOptions = { style: 'unit', unit: units[power] ?? 'byte', maximumFractionDigits: 1 };
  const amount = format(language, (tag) => new Intl.NumberFormat(tag, options).format(size / 1000 ** power));
  return say(words.file, { name, size: amount });
}

/** A page's language may be no language tag. */
function format(language: string | undefined, write: (tag: string | undefined) => string): string {
  try {
    return write(language);
  } catch {
    return write(undefined);
  }
}
