import {
  type ControlDescription,
  type FormDescription,
  type IndexedControl,
  type ControlAssignment,
  applies,
  choicesOf,
  indexControls,
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

export const invalidConfig = (reason: string): GatewayError =>
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
    if (ownHeaders.has(name.toLowerCase())) throw invalidConfig(`the header ${preview(name)} is not its to set`);
    if (!isHeader(name, value)) throw invalidConfig(`the header ${preview(name)} is not valid`);
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
export function configurableControls(form: FormDescription): ReadonlyMap<string, readonly [IndexedControl, ...IndexedControl[]]> {
  const byName = new Map<string, [IndexedControl, ...IndexedControl[]]>();
  for (const each of indexControls(form)) {
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
  [...configurableControls(form)]
    .filter(
      ([name, members]) => members.some(({ control }) => isRequiredSecret(control)) && !Object.hasOwn(values, name),
    )
    .map(([name]) => name);

export const isRequiredSecret = ({ sensitive, type, attributes }: ControlDescription): boolean =>
  sensitive === true && attributes.required !== undefined && applies.required.has(type);

/** What a configuration sets on a form's controls. */
export function configuredAssignments(form: FormDescription, { values = {} }: SubmitConfig): readonly ControlAssignment[] {
  const controls = configurableControls(form);
  return Object.entries(values).flatMap(([name, value]) => {
    const members = controls.get(name);
    if (!members) throw invalidConfig(`the form has no hidden or sensitive control named ${preview(name)}`);
    const texts = [value].flat() as readonly string[];
    if (!texts.every((text) => typeof text === 'string')) throw invalidConfig(`the value of ${preview(name)} is no text`);
    return assignmentsFor(form, members, texts, name);
  });
}

function assignmentsFor(
  form: FormDescription,
  members: readonly [IndexedControl, ...IndexedControl[]],
  texts: readonly string[],
  name: string,
): readonly ControlAssignment[] {
  const [{ control, index }] = members;
  if (control.type.startsWith('select')) {
    const positions = choicesOf(form, unitOf([{ control, index }]))
      .filter((choice) => texts.includes(choice.value))
      .flatMap((choice) => (control.type === 'select-one' ? choice.positions.slice(0, 1) : choice.positions));
    if (positions.length === 0 && (control.options ?? []).length > 0)
      throw invalidConfig(`${preview(name)} does not offer its value`);
    return [{ control: index, set: 'selected', options: positions }];
  }
  if (texts.length > members.length) throw invalidConfig(`${preview(name)} has fewer controls than values`);
  return texts.map((text, at) => {
    const { control, index } = members[at] as IndexedControl;
    return { control: index, set: 'value', value: checkedText(control, text) };
  });
}

function checkedText({ type, name }: ControlDescription, text: string): string {
  const isNumber = type === 'number' || type === 'range';
  if (isNumber ? parseNumber(text) !== undefined : sanitizeText(type, text) === text) return text;
  throw invalidConfig(`${preview(name)} does not take its value`);
}

export const wrongSecrets = (names: readonly string[]): GatewayError =>
  invalidConfig(`it has no value that the form takes for ${names.map((name) => preview(name)).join(', ')}`);
