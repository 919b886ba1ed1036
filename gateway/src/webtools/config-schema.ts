import { Validator } from '@cfworker/json-schema';
import {
  type JsonValue,
  type SubmitConfig,
  configurableControls,
  isRequiredSecret,
  joinSentences,
  oncePerObject,
  preview,
  synthesizeParameters,
} from 'webmcp-forms/headless';
import { GatewayError } from '../gateway-error.js';
import type { Settings } from '../settings.js';
import type { Action, ServingPolicy } from './actions.js';

/** The configuration that a client sends with a call. It is hidden from models. */
export interface ClientConfig {
  readonly authorization?: string;
  /** Values of hidden and sensitive controls by action and name; an array for several controls of a name. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

const closedObject = (properties: Readonly<Record<string, object>>): object => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

/** The JSON Schema of a client's configuration. It excludes values that the operator has configured. */
export function configSchemaOf(actions: readonly Action[], policy: ServingPolicy): object {
  const values = actions.flatMap((action) => {
    const configured = valuesOf(policy.config.values, action.name);
    const schemas = controlSchemas(action).filter(([name]) => !Object.hasOwn(configured, name));
    return schemas.length > 0 ? [[action.name, closedObject(Object.fromEntries(schemas))] as const] : [];
  });
  return closedObject({
    ...(!hasAuthorization(policy) && {
      authorization: { type: 'string', description: 'The header Authorization of requests to the site.' },
    }),
    ...(values.length > 0 && {
      values: {
        ...closedObject(Object.fromEntries(values)),
        description: 'Values of hidden and sensitive inputs, by action.',
      },
    }),
  });
}

function controlSchemas({ form }: Action): readonly (readonly [string, object])[] {
  const parameters = synthesizeParameters(form, { profile: 'portable', sensitive: 'include' });
  return [...configurableControls(form)].map(([name, controls]) => {
    const [{ control, index }] = controls;
    const parameter = parameters.find(({ units }) => units.some((unit) => unit.controls.includes(index)));
    const required = controls.some((each) => isRequiredSecret(each.control)) ? 'Required' : '';
    const description =
      control.type === 'hidden'
        ? 'A hidden input, which is read from its page unless it is given here.'
        : joinSentences([parameter?.schema.description ?? '', required]);
    const text = { type: 'string' };
    const texts = { type: 'array', items: { type: 'string' }, maxItems: controls.length };
    const isList = controls.length > 1 || control.type === 'select-multiple';
    return [name, { ...(isList ? { anyOf: [text, texts] } : text), ...(description && { description }) }] as const;
  });
}

/** Whether the operator authenticates requests to the site, by a header or in the base URL. */
const hasAuthorization = ({ config: { headers = {} }, baseUrl }: Pick<ServingPolicy, 'config' | 'baseUrl'>): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'authorization') ||
  (baseUrl !== undefined && baseUrl.username + baseUrl.password !== '');

/**
 * Merges the configuration of the operator and of the client, which must not overlap.
 *
 * @throws {GatewayError} `config-error`
 */
export function callConfig(
  name: string,
  configSchema: object,
  settings: Pick<Settings, 'config' | 'baseUrl'>,
  clientConfig?: JsonValue,
): SubmitConfig & { readonly authorization: string } {
  const { config: operator } = settings;
  const client = clientConfig === undefined ? {} : checkClientConfig(configSchema, clientConfig);
  const operatorValues = valuesOf(operator.values, name);
  const clientValues = valuesOf(client.values, name);
  const conflict = Object.keys(clientValues).find((each) => Object.hasOwn(operatorValues, each));
  if (conflict !== undefined) throw invalidConfig(`${preview(conflict)} is set by the operator of the gateway`);
  const { authorization } = client;
  if (authorization !== undefined && hasAuthorization(settings)) {
    throw invalidConfig('"authorization" is set by the operator of the gateway');
  }
  return {
    headers: { ...operator.headers, ...(authorization !== undefined && { authorization }) },
    values: { ...clientValues, ...operatorValues },
    fresh: operator.fresh && Object.hasOwn(operator.fresh, name) ? (operator.fresh[name] ?? []) : [],
    authorization: authorization ?? '',
  };
}

const invalidConfig = (reason: string): GatewayError =>
  new GatewayError('config-error', `The configuration of the tool is invalid: ${reason}.`);

type Values = Readonly<Record<string, string | readonly string[]>>;

const valuesOf = (values: Readonly<Record<string, Values>> = {}, action: string): Values =>
  Object.hasOwn(values, action) ? (values[action] ?? {}) : {};

const validatorOf = oncePerObject((configSchema: object) => new Validator(configSchema, '2020-12', false));

function checkClientConfig(configSchema: object, config: JsonValue): ClientConfig {
  const { valid, errors } = validatorOf(configSchema).validate(config);
  if (valid) return config as ClientConfig;
  const reasons = errors.filter(({ keyword }) => !applicators.has(keyword)).map(describeError);
  throw invalidConfig([...new Set(reasons)].slice(0, 20).join('; '));
}

/** Keywords whose errors only repeat the errors of their subschemas. */
const applicators: ReadonlySet<string> = new Set(['properties', 'items', 'anyOf', 'additionalProperties']);

type OutputUnit = ReturnType<Validator['validate']>['errors'][number];

function describeError({ keyword, instanceLocation, error }: OutputUnit): string {
  const path = instanceLocation.replace(/^#\/?/, '');
  if (keyword === 'false') return `${preview(path)} does not exist, or is set by the operator of the gateway`;
  return `${path === '' ? 'it' : preview(path)} is invalid: ${error.replace(/\.$/, '')}`;
}
