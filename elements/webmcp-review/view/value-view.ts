import { html, nothing, svg, type TemplateResult } from 'lit';
import { formatMessage } from '../../strings.js';
import type { ReviewString } from '../strings.js';
import { truncate, withoutBidi } from './labels.js';
import type { ShownValue } from './rows.js';

export interface Locale {
  readonly messages: Readonly<Record<ReviewString, string>>;
  /** A language tag; undefined for the browser's language. */
  readonly language: string | undefined;
}

const limits = { characters: 160, lines: 4 };

export function valueTemplate(value: ShownValue, locale: Locale): TemplateResult {
  switch (value.kind) {
    case 'text':
      return value.texts.length === 1 ? textTemplate(value.texts[0] ?? '', locale) : list(value.texts, locale);
    case 'color':
      return html`${swatch(value.value)}${textTemplate(value.value, locale)}`;
    case 'date':
      return textTemplate(dateText(value.value, value.type, locale), locale);
    case 'files':
      return list(
        value.files.map((file) => fileText(file, locale)),
        locale,
      );
    default:
      return html`<span class="word">${locale.messages[value.kind]}</span>`;
  }
}

const list = (texts: readonly string[], locale: Locale): TemplateResult =>
  html`<ul role="list">
    ${texts.map((each) => html`<li>${textTemplate(each, locale)}</li>`)}
  </ul>`;

function textTemplate(original: string, { messages }: Locale): TemplateResult {
  const text = withoutBidi(original);
  const start = truncate(firstLines(text), limits.characters);
  if (start === text) return html`<bdi class="text">${text}</bdi>`;
  return html`<bdi class="text">${start}</bdi>
    <details>
      <summary>${messages.showAll}</summary>
      <bdi class="text">${text}</bdi>
    </details>`;
}

function firstLines(text: string): string {
  const lines = text.split('\n');
  return lines.length > limits.lines ? `${lines.slice(0, limits.lines).join('\n')}…` : text;
}

const swatch = (color: string): TemplateResult =>
  html`<svg part="swatch" class="swatch" viewBox="0 0 1 1" aria-hidden="true">
    ${svg`<rect width="1" height="1" fill=${color || nothing} />`}
  </svg>`;

const day: Intl.DateTimeFormatOptions = { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' };

const dateFormats: Readonly<
  Record<string, { readonly prefix?: string; readonly suffix: string; readonly options: Intl.DateTimeFormatOptions }>
> = {
  date: { suffix: 'T00:00Z', options: day },
  'datetime-local': { suffix: 'Z', options: { ...day, hour: 'numeric', minute: '2-digit' } },
  month: { suffix: '-01T00:00Z', options: { year: 'numeric', month: 'long' } },
  time: { prefix: '1970-01-01T', suffix: 'Z', options: { timeStyle: 'short' } },
};

/** The localized date, followed by the value of the control. */
function dateText(value: string, type: string, { language }: Locale): string {
  const format = dateFormats[type];
  const date = new Date(format ? `${format.prefix ?? ''}${value}${format.suffix}` : NaN);
  if (!format || Number.isNaN(date.getTime())) return value;
  const options: Intl.DateTimeFormatOptions = { ...format.options, timeZone: 'UTC' };
  return `${localized(language, (tag) => new Intl.DateTimeFormat(tag, options).format(date))} (${value})`;
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

function fileText({ name, size }: File, { messages, language }: Locale): string {
  const power = size > 0 ? Math.min(Math.floor(Math.log10(size) / 3), units.length - 1) : 0;
  const options: Intl.NumberFormatOptions = { style: 'unit', unit: units[power] ?? 'byte', maximumFractionDigits: 1 };
  const amount = localized(language, (tag) => new Intl.NumberFormat(tag, options).format(size / 1000 ** power));
  return formatMessage(messages.file, { name, size: amount });
}

/** Uses the browser's language if the language of the page is not a valid tag. */
function localized(language: string | undefined, format: (tag: string | undefined) => string): string {
  try {
    return format(language);
  } catch {
    return format(undefined);
  }
}
