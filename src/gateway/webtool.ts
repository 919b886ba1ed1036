import type { JsonSchema } from '../json-schema.js';
import { actionsOf, refusalOf, type Action, type LeftOut } from './actions.js';
import { configSchemaOf } from './config-schema.js';
import { hashOf } from './hash.js';
import { responseSchema } from './response-schema.js';
import type { Settings } from './settings.js';
import type { GatewayManifest } from './tool.js';

/** An action as the metadata of a webtool has it. */
export interface ActionMetadata {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly requestSchema: JsonSchema;
  readonly responseSchema: object;
  /** Whether it only reads. */
  readonly readOnly: boolean;
  /** Whether a person was meant to submit its form. */
  readonly consequential: boolean;
}

/** What `GET /` of a webtool answers. */
export interface WebtoolMetadata {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** The SHA-256 of the actions in canonical JSON: `sha256-` and base64. https://www.rfc-editor.org/rfc/rfc8785 */
  readonly hash: string;
  readonly actions: readonly ActionMetadata[];
  readonly configSchema: object;
  /** Always empty: what has a value is the operator's, and secret. */
  readonly defaultConfig: object;
}

/** A manifest as it is served. */
export interface Webtool {
  readonly metadata: WebtoolMetadata;
  /** What can be run, by name. */
  readonly actions: ReadonlyMap<string, Action>;
  readonly leftOut: readonly LeftOut[];
}

/** What everybody can agree on: the metadata of a manifest with all its forms, whatever an operator offers of them. */
export async function metadataOf(
  manifest: GatewayManifest,
  { actions } = actionsOf(manifest),
): Promise<WebtoolMetadata> {
  const { name, description, version } = manifest;
  const shown = actions.map(shownAction);
  const hash = await hashOf(shown);
  const configSchema = configSchemaOf(actions);
  return { name, description, version, hash, actions: shown, configSchema, defaultConfig: {} };
}

const shownAction = ({ name, title, description, requestSchema, readOnly, consequential }: Action): ActionMetadata => ({
  name,
  ...(title !== undefined && { title }),
  description,
  requestSchema,
  responseSchema,
  readOnly,
  consequential,
});

/**
 * A manifest as an operator serves it.
 *
 * @param released - the metadata that its version was released with
 */
export function webtoolOf(manifest: GatewayManifest, settings: Settings, released?: WebtoolMetadata): Promise<Webtool> {
  const known = settings.webtools.get(manifest);
  if (known) return known;
  const webtool = makeWebtool(manifest, settings, released);
  settings.webtools.set(manifest, webtool);
  return webtool;
}

async function makeWebtool(
  manifest: GatewayManifest,
  settings: Settings,
  released: WebtoolMetadata | undefined,
): Promise<Webtool> {
  const all = actionsOf(manifest);
  const refused = all.actions.flatMap((action) => {
    const reason = refusalOf(action, settings);
    return reason === undefined ? [] : [{ tool: action.name, page: action.page, reason }];
  });
  const refusedNames = new Set(refused.map(({ tool }) => tool));
  const offered = new Map(all.actions.filter(({ name }) => !refusedNames.has(name)).map((each) => [each.name, each]));
  const metadata = released ?? (await metadataOf(manifest, all));
  return {
    metadata: await restrict(metadata, offered),
    actions: offered,
    leftOut: [...all.leftOut, ...refused],
  };
}

async function restrict(metadata: WebtoolMetadata, offered: ReadonlyMap<string, Action>): Promise<WebtoolMetadata> {
  const actions = metadata.actions.filter(({ name }) => offered.has(name));
  if (actions.length === metadata.actions.length) return metadata;
  return { ...metadata, hash: await hashOf(actions), actions };
}
