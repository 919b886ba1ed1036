import { type JsonSchema, oncePerObject, webtoolHash } from 'webmcp-forms/headless';
import type { GatewayManifest } from '../manifest.js';
import type { Settings } from '../settings.js';
import {
  actionsOf,
  continuationOf,
  exclusionReason,
  readingsOf,
  type Action,
  type ExcludedTool,
  type ServingPolicy,
} from './actions.js';
import { configSchemaOf } from './config-schema.js';
import { formPin } from './form-pin.js';

export interface ActionMetadata {
  /** The tool's name, followed by its page if another tool has the same name. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** The language of the title, the description and the schema, as a BCP 47 tag, if the page declares it. */
  readonly lang?: string;
  /** The direction of these strings, if the page declares it. */
  readonly dir?: 'ltr' | 'rtl';
  readonly requestSchema: JsonSchema;
  readonly responseSchema: object;
  /** Whether the action has no side effects. */
  readonly readOnly: boolean;
  /** Whether a person is expected to submit its form. */
  readonly consequential: boolean;
  /** The path and query of the form's page, or of the first of several pages with equal tools. */
  readonly page: string;
  /** The title of the page, for an action whose tool has the same name as others. */
  readonly pageTitle?: string;
  /** The hash of the form: its URL, method, encoding, and the names, order, limits and options of its controls. */
  readonly form: string;
}

/** The response to `GET /` of a webtool. */
export interface WebtoolMetadata {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** `sha256-` and the base64 SHA-256 of the name, the description and the actions, in any order; see `webtoolHash`. */
  readonly hash: string;
  readonly actions: readonly ActionMetadata[];
  readonly configSchema: object;
  /** Always empty: the operator's values are secret. */
  readonly defaultConfig: object;
}

export interface Webtool {
  readonly metadata: WebtoolMetadata;
  readonly actions: ReadonlyMap<string, Action>;
  readonly excluded: readonly ExcludedTool[];
}

/** The JSON Schema of a form submission's result. It is part of the hash of every webtool. */
const responseSchema = {
  type: 'object',
  properties: {
    status: { type: 'integer', description: 'HTTP status of the site. From 400 on, the site rejected the request.' },
    url: { type: 'string', description: 'The URL of the response, after all redirects.' },
    contentType: { type: 'string' },
    messages: { type: 'array', items: { type: 'string' }, description: 'The status messages of the page.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { parameter: { type: 'string' }, message: { type: 'string' } },
        required: ['parameter', 'message'],
      },
      description:
        'The validation errors of the page. The parameter is empty for errors that do not belong to a control.',
    },
    json: { description: 'The response, if it is JSON.' },
    jsonLd: { type: 'array', items: {}, description: 'The JSON-LD of the page.' },
    text: { type: 'string', description: 'The visible text of the main part of the page.' },
  },
  required: ['status', 'url', 'contentType'],
} as const;

/** The schema of a result whose forms the session can submit. */
const continuedSchema = {
  ...responseSchema,
  properties: {
    ...responseSchema.properties,
    forms: {
      type: 'array',
      items: {
        type: 'object',
        properties: { form: { type: 'string' }, title: { type: 'string' }, requestSchema: { type: 'object' } },
        required: ['form', 'title', 'requestSchema'],
      },
      description: 'The forms of the page that the action "continue" submits next in the same session.',
    },
    omittedForms: { type: 'integer' },
  },
} as const;

/** The JSON Schema of a result with the values of a form, which have the types of the tool's `requestSchema`. */
const readingSchema = {
  ...responseSchema,
  properties: {
    ...responseSchema.properties,
    values: {
      type: 'object',
      description: 'The current values of the form by parameter. Null stands for an empty value.',
    },
  },
  required: [...responseSchema.required, 'values'],
} as const;

interface Served extends Pick<Webtool, 'excluded'> {
  readonly submitted: readonly Action[];
  readonly served: readonly Action[];
}

export function servedActions(manifest: GatewayManifest, policy: ServingPolicy): Served {
  const { actions, excluded } = actionsOf(manifest);
  const reasons = new Map(actions.map((action) => [action, exclusionReason(action, policy)]));
  const submitted = actions.filter((action) => reasons.get(action) === undefined);
  const readings = policy.readForms ? readingsOf(submitted) : [];
  const continuations = policy.continuePaths?.length ? [continuationOf([...submitted, ...readings])] : [];
  const served = [...submitted, ...readings, ...continuations];
  const refused = actions.flatMap((action) => {
    const reason = reasons.get(action);
    return reason === undefined ? [] : [{ tool: action.name, page: action.page, reason }];
  });
  return { submitted, served, excluded: [...excluded, ...refused] };
}

export async function createWebtool(manifest: GatewayManifest, policy: ServingPolicy): Promise<Webtool> {
  const { submitted, served, excluded } = servedActions(manifest, policy);
  const { name, description, version } = manifest;
  const schema = served.some(({ continues }) => continues) ? continuedSchema : responseSchema;
  const metadata = await Promise.all(served.map((action) => toMetadata(action, schema)));
  const hash = await webtoolHash({ name, description, actions: metadata });
  const configSchema = configSchemaOf(submitted, policy);
  return {
    metadata: { name, description, version, hash, actions: metadata, configSchema, defaultConfig: {} },
    actions: new Map(served.map((action) => [action.name, action])),
    excluded,
  };
}

async function toMetadata(
  { form, tool, pageTitle, reads, continues: _, ...action }: Action,
  schema: object,
): Promise<ActionMetadata> {
  const isNamedByPage = (reads ?? action.name) !== tool.name && pageTitle !== undefined;
  const answerSchema = reads !== undefined ? readingSchema : schema;
  return { ...action, responseSchema: answerSchema, ...(isNamedByPage && { pageTitle }), form: await formPin(form) };
}

const webtoolsOf = oncePerObject((_: Settings) => new WeakMap<GatewayManifest, Promise<Webtool>>());

/**
 * Returns the webtool of a manifest, which is created once for the settings of a gateway.
 *
 * @param released - the metadata of the manifest's release. Only its actions are served, if their forms are the forms of
 * the release.
 */
export function webtoolFor(
  manifest: GatewayManifest,
  settings: Settings,
  released?: WebtoolMetadata,
): Promise<Webtool> {
  const webtools = webtoolsOf(settings);
  const webtool = webtools.get(manifest) ?? createReleasedWebtool(manifest, settings, released);
  webtools.set(manifest, webtool);
  return webtool;
}

async function createReleasedWebtool(
  manifest: GatewayManifest,
  settings: Settings,
  released: WebtoolMetadata | undefined,
): Promise<Webtool> {
  const webtool = await createWebtool(manifest, settings);
  if (!released) return webtool;
  const pins = new Map(webtool.metadata.actions.map((action) => [action.name, pinOf(action)]));
  const same = new Set(
    released.actions.filter((action) => pins.get(action.name) === pinOf(action)).map(({ name }) => name),
  );
  const actions = new Map([...webtool.actions].filter(([name]) => same.has(name)));
  const changed = released.actions.filter(({ name }) => pins.has(name) && !same.has(name));
  const excluded = changed.map((action) => ({
    tool: action.name,
    page: webtool.actions.get(action.name)?.page ?? '',
    reason: 'its page or form is not that of the release',
  }));
  return { metadata: released, actions, excluded: [...webtool.excluded, ...excluded] };
}

const pinOf = ({ page, form }: ActionMetadata): string => JSON.stringify([page, form]);
