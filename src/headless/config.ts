import type { ControlDescription, FormDescription } from '../compiler/description.js';
import type { ControlAssignment } from '../compiler/input/plan-input.js';
import { isCharset } from '../compiler/input/entry-list.js';
import { applies } from '../compiler/html/elements.js';
import { parseNumber } from '../compiler/html/microsyntaxes.js';
import { sanitizeText } from '../compiler/html/sanitize.js';
import { choicesOf } from '../compiler/parameters/choices.js';
import { indexControls, unitOf, type IndexedControl } from '../compiler/parameters/parameters.js';
import { preview } from '../compiler/preview.js';
import { isSecret } from '../compiler/profiles/redact.js';
import { groupBy } from '../group-by.js';
import { isSendable } from '../http/cookies.js';
import { percentDecode } from '../site/pages/page-path.js';
import { SubmissionError } from './submission-error.js';

/** The operator's configuration of a tool. It is hidden from models. */
export interface SubmitConfig {
  /** Headers of every request to the page's own origin, such as `authorization`. Cookies of the session override `cookie`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of hidden and sensitive controls by name; an array for several controls of a name. */
  readonly values?: Readonly<Record<string, string | readonly string[]>>;
  /** Names of hidden controls and URL parameters. The site renews their values, so they are not compared with the manifest. */
  readonly fresh?: readonly string[];
}

export const invalidConfig = (reason: string): SubmissionError =>
  new SubmissionError('config-error', `The configuration of the tool is invalid: ${reason}.`);

/** The maximum total length of the names and values. Responses are searched for each value in several encodings. */
const maxConfigLength = 100_000;

/** @throws {SubmissionError} `config-error` if the names and values are too long */
export function checkConfigSize({ headers = {}, values = {} }: SubmitConfig): void {
  const texts = [headers, values].flatMap((each) => [...Object.keys(each), ...Object.values(each).flat()]);
  const length = texts.reduce((sum, text) => sum + String(text).length, 0);
  if (length > maxConfigLength) throw invalidConfig(`it has more than ${maxConfigLength} characters in all`);
}

/** Headers that a configuration cannot set. */
const reservedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers of a configuration. The credentials of the page's URL are the default `authorization`. */
export function configuredHeaders({ headers = {} }: SubmitConfig, { username, password }: URL): Record<string, string> {
  const checked = Object.entries(headers).map(([name, value]) => {
    if (reservedHeaders.has(name.toLowerCase())) {
      throw invalidConfig(`the header ${preview(name)} is set by the gateway`);
    }
    if (!isValidHeader(name, value)) throw invalidConfig(`the header ${preview(name)} is invalid`);
    return [name.toLowerCase(), value] as const;
  });
  const basic = username + password === '' ? {} : { authorization: basicCredentials(username, password) };
  return { ...basic, ...Object.fromEntries(checked) };
}

function isValidHeader(name: string, value: unknown): boolean {
  try {
    new Headers([[name, value as string]]);
    return typeof value === 'string' && isSendable(value);
  } catch {
    return false; // the message of this error contains the value
  }
}

function basicCredentials(...parts: readonly [username: string, password: string]): string {
  const text = parts.map(percentDecode).join(':');
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`;
}

type ControlGroup = readonly [IndexedControl, ...IndexedControl[]];

export function configurableControls(form: FormDescription): ReadonlyMap<string, ControlGroup> {
  return groupBy(indexControls(form), ({ control }) => {
    const isConfigurable = isSecret(control) && !control.disabled && control.name !== '' && !isCharset(control);
    return isConfigurable ? control.name : undefined;
  });
}

export const missingSecrets = (form: FormDescription, values: object): readonly string[] =>
  [...configurableControls(form)].flatMap(([name, group]) =>
    group.some(({ control }) => isRequiredSecret(control)) && !Object.hasOwn(values, name) ? name : [],
  );

export const isRequiredSecret = ({ sensitive, type, attributes }: ControlDescription): boolean =>
  sensitive === true && attributes.required !== undefined && applies.required.has(type);

/** @throws {SubmissionError} `config-error` if a value does not match the form */
export function configuredAssignments(
  form: FormDescription,
  { values = {} }: SubmitConfig,
): readonly ControlAssignment[] {
  const controls = configurableControls(form);
  return Object.entries(values).flatMap(([name, value]) => {
    const group = controls.get(name);
    if (!group) throw invalidConfig(`the form has no hidden or sensitive control ${preview(name)}`);
    const texts = [value].flat() as readonly string[];
    if (!texts.every((text) => typeof text === 'string')) {
      throw invalidConfig(`the value of ${preview(name)} is not a string`);
    }
    return group[0].control.type.startsWith('select')
      ? [selectAssignment(form, group[0], texts)]
      : textAssignments(group, texts);
  });
}

function selectAssignment(form: FormDescription, select: IndexedControl, texts: readonly string[]): ControlAssignment {
  const { control, index } = select;
  const options = choicesOf(form, unitOf([select]))
    .filter(({ value }) => texts.includes(value))
    .flatMap(({ positions }) => (control.type === 'select-one' ? positions.slice(0, 1) : positions));
  if (options.length === 0 && (control.options ?? []).length > 0) {
    throw invalidConfig(`${preview(control.name)} has no option with its value`);
  }
  return { control: index, set: 'selected', options };
}

function textAssignments(group: ControlGroup, texts: readonly string[]): readonly ControlAssignment[] {
  const [{ control }] = group;
  if (texts.length > group.length) throw invalidConfig(`${preview(control.name)} has more values than controls`);
  return texts.map((value, at) => {
    const { control, index } = group[at] as IndexedControl;
    if (!isValidText(control, value)) throw invalidConfig(`${preview(control.name)} cannot have its value`);
    return { control: index, set: 'value', value };
  });
}

const isValidText = ({ type }: ControlDescription, text: string): boolean =>
  type === 'number' || type === 'range' ? parseNumber(text) !== undefined : sanitizeText(type, text) === text;
