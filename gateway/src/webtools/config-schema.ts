import { Validator } from '@cfworker/json-schema';
import { type JsonValue, preview, sentences, synthesizeParameters } from 'webmcp-forms/headless';
import type { Action, Offer } from './actions.js';
import { configurable, isRequiredSecret, wrong, type SubmitConfig } from '../submission/config.js';
import type { Settings } from '../settings.js';

/** What a client gives with a call, and no model ever sees. */
export interface ClientConfig {
  /** The header `Authorization` of requests to the site. */
  readonly authorization?: string;
  /** Values of hidden and sensitive controls by action and name; a list for several controls of a name. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

const closed = (properties: Readonly<Record<string, object>>): object => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

/** The JSON Schema of what a client may configure: authentication, and the hidden and sensitive controls by name. */
export function configSchemaOf(actions: readonly Action[], offer: Offer): object {
  const values = actions.flatMap((action) => {
    const own = valuesIn(offer.config.values, action.name);
    const names = valuesOf(action).filter(([name]) => !Object.hasOwn(own, name));
    return names.length > 0 ? [[action.name, closed(Object.fromEntries(names))] as const] : [];
  });
  return closed({
    ...(!hasAuthorization(offer) && {
      authorization: { type: 'string', description: 'The header Authorization of requests to the site.' },
    }),
    ...(values.length > 0 && {
      values: {
        ...closed(Object.fromEntries(values)),
        description: 'Values of hidden and sensitive inputs, by action.',
      },
    }),
  });
}

function valuesOf({ form }: Action): readonly (readonly [string, object])[] {
  const parameters = synthesizeParameters(form, { profile: 'portable', sensitive: 'include' });
  return [...configurable(form)].map(([name, members]) => {
    const [{ control, index }] = members;
    const words = parameters.find(({ units }) => units.some(({ controls }) => controls.includes(index)))?.schema;
    const isRequired = members.some((each) => isRequiredSecret(each.control));
    const text =
      control.type === 'hidden' ? hidden : sentences([words?.description ?? '', isRequired ? 'Required' : '']);
    const several = { type: 'array', items: { type: 'string' }, maxItems: members.length };
    const one = { type: 'string' };
    const isList = members.length > 1 || control.type === 'select-multiple';
    return [name, { ...(isList ? { anyOf: [one, several] } : one), ...(text && { description: text }) }] as const;
  });
}

const hidden = 'A hidden input, which is read from its page unless it is given here.';

/** Whether the operator says who the site takes the gateway for: by a header, or by credentials in the base URL. */
const hasAuthorization = ({ config: { headers = {} }, baseUrl }: Pick<Offer, 'config' | 'baseUrl'>): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'authorization') ||
  (baseUrl !== undefined && baseUrl.username + baseUrl.password !== '');

/**
 * What a call is configured with: the operator has the last word, and a client may not give what the operator has given.
 *
 * @throws {GatewayError} `config-error`
 */
export function configOf(
  { name }: Action,
  configSchema: object,
  settings: Settings,
  given: JsonValue = {},
): SubmitConfig & { readonly authorization: string } {
  const { config: operator } = settings;
  const client = checked(configSchema, given);
  const own = valuesIn(operator.values, name);
  const theirs = valuesIn(client.values, name);
  const twice = Object.keys(theirs).find((each) => Object.hasOwn(own, each));
  if (twice !== undefined) throw wrong(`${preview(twice)} is set by the operator of the gateway`);
  const { authorization } = client;
  if (authorization !== undefined && hasAuthorization(settings)) {
    throw wrong('"authorization" is set by the operator of the gateway');
  }
  return {
    headers: { ...operator.headers, ...(authorization !== undefined && { authorization }) },
    values: { ...theirs, ...own },
    authorization: authorization ?? '',
  };
}

type Values = Readonly<Record<string, string | readonly string[]>>;

const valuesIn = (values: Readonly<Record<string, Values>> = {}, action: string): Values =>
  Object.hasOwn(values, action) ? (values[action] ?? {}) : {};

function checked(configSchema: object, config: JsonValue): ClientConfig {
  const { valid, errors } = validatorOf(configSchema).validate(config);
  if (valid) return config as ClientConfig;
  const places = [...new Set(errors.filter(({ keyword }) => !summaries.has(keyword)).map(reasonOf))];
  throw wrong(places.slice(0, 20).join('; '));
}

const validators = new WeakMap<object, Validator>();

function validatorOf(schema: object): Validator {
  const validator = validators.get(schema) ?? new Validator(schema, '2020-12', false);
  validators.set(schema, validator);
  return validator;
}

/** Keywords that only say that something below them is wrong. */
const summaries: ReadonlySet<string> = new Set(['properties', 'items', 'anyOf', 'additionalProperties']);

const reasonOf = ({
  keyword,
  instanceLocation,
  error,
}: {
  keyword: string;
  instanceLocation: string;
  error: string;
}) => {
  const path = instanceLocation.replace(/^#\/?/, '');
  if (keyword === 'false') return `it has no ${preview(path)}, or the operator of the gateway sets it`;
  return `${path === '' ? 'it' : preview(path)} is no such value: ${error.replace(/\.$/, '')}`;
};
