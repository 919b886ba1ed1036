import {
  type ControlDescription,
  type FormDescription,
  type Indexed,
  type Setting,
  applies,
  choicesOf,
  indexed,
  isCharset,
  parseNumber,
  preview,
  sanitizeText,
  unitOf,
} from 'webmcp-forms/headless';
import { GatewayError } from '../gateway-error.js';

/** What the operator gives to a tool, and no model ever sees. */
export interface SubmitConfig {
  /** Headers of every request to the page's own origin, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of hidden and sensitive controls, by their names; a list for several controls of a name. */
  readonly values?: Readonly<Record<string, string | readonly string[]>>;
}

export const wrong = (reason: string): GatewayError =>
  new GatewayError('config-error', `The configuration of the tool is wrong: ${reason}.`);

/** Those that the submission itself decides. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers of a configuration, with the credentials of the page's URL. */
export function configuredHeaders({ headers = {} }: SubmitConfig, { username, password }: URL): Record<string, string> {
  const checked = Object.entries(headers).map(([name, value]) => {
    if (ownHeaders.has(name.toLowerCase())) throw wrong(`the header ${preview(name)} is not its to set`);
    if (!isHeader(name, value)) throw wrong(`the header ${preview(name)} is not valid`);
    return [name.toLowerCase(), value] as const;
  });
  const basic = username + password === '' ? {} : { authorization: basicCredentials(username, password) };
  return { ...basic, ...Object.fromEntries(checked) };
}

function isHeader(name: string, value: unknown): boolean {
  try {
    new Headers([[name, value as string]]);
    return typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
  } catch {
    return false; // the error of the platform tells the value
  }
}

function basicCredentials(username: string, password: string): string {
  const text = `${decoded(username)}:${decoded(password)}`;
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A control whose value is for the operator, or for the page itself, and never for a model. */
export const isSecret = ({ type, sensitive }: ControlDescription): boolean => type === 'hidden' || sensitive === true;

/** The controls whose values a configuration can give, by name. */
export function configurable(form: FormDescription): ReadonlyMap<string, readonly [Indexed, ...Indexed[]]> {
  const byName = new Map<string, [Indexed, ...Indexed[]]>();
  for (const each of indexed(form)) {
    const { control } = each;
    if (!isSecret(control) || control.disabled || control.name === '' || isCharset(control)) continue;
    const members = byName.get(control.name);
    if (members) members.push(each);
    else byName.set(control.name, [each]);
  }
  return byName;
}

/** The names of required sensitive controls that some values leave out. */
export const missingSecrets = (form: FormDescription, values: object): readonly string[] =>
  [...configurable(form)]
    .filter(
      ([name, members]) => members.some(({ control }) => isRequiredSecret(control)) && !Object.hasOwn(values, name),
    )
    .map(([name]) => name);

export const isRequiredSecret = ({ sensitive, type, attributes }: ControlDescription): boolean =>
  sensitive === true && attributes.required !== undefined && applies.required.has(type);

/** What a configuration sets on a form's controls. */
export function configuredSettings(form: FormDescription, { values = {} }: SubmitConfig): readonly Setting[] {
  const controls = configurable(form);
  return Object.entries(values).flatMap(([name, value]) => {
    const members = controls.get(name);
    if (!members) throw wrong(`the form has no hidden or sensitive control named ${preview(name)}`);
    const texts = [value].flat() as readonly string[];
    if (!texts.every((text) => typeof text === 'string')) throw wrong(`the value of ${preview(name)} is no text`);
    return settingsOf(form, members, texts, name);
  });
}

function settingsOf(
  form: FormDescription,
  members: readonly [Indexed, ...Indexed[]],
  texts: readonly string[],
  name: string,
): readonly Setting[] {
  const [{ control, index }] = members;
  if (control.type.startsWith('select')) {
    const positions = choicesOf(form, unitOf([{ control, index }]))
      .filter((choice) => texts.includes(choice.value))
      .flatMap((choice) => (control.type === 'select-one' ? choice.positions.slice(0, 1) : choice.positions));
    if (positions.length === 0 && (control.options ?? []).length > 0)
      throw wrong(`${preview(name)} does not offer its value`);
    return [{ control: index, set: 'selected', options: positions }];
  }
  if (texts.length > members.length) throw wrong(`${preview(name)} has fewer controls than values`);
  return texts.map((text, at) => {
    const { control, index } = members[at] as Indexed;
    return { control: index, set: 'value', value: checkedText(control, text) };
  });
}

function checkedText({ type, name }: ControlDescription, text: string): string {
  const isNumber = type === 'number' || type === 'range';
  if (isNumber ? parseNumber(text) !== undefined : sanitizeText(type, text) === text) return text;
  throw wrong(`${preview(name)} does not take its value`);
}

export const wrongSecrets = (names: readonly string[]): GatewayError =>
  wrong(`it has no value that the form takes for ${names.map((name) => preview(name)).join(', ')}`);
