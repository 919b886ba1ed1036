import { type JsonSchema, hashOf } from 'webmcp-forms/headless';
import { actionsOf, refusalOf, type Action, type LeftOut, type Offer } from './actions.js';
import { configSchemaOf } from './config-schema.js';
import { responseSchema } from './response-schema.js';
import type { Settings } from '../settings.js';
import type { GatewayManifest } from '../tool.js';

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

/** A manifest as it is offered. */
export async function offered(manifest: GatewayManifest, offer: Offer): Promise<Webtool> {
  const { actions, leftOut } = actionsOf(manifest);
  const judged = actions.map((action) => ({ action, reason: refusalOf(action, offer) }));
  const kept = judged.flatMap(({ action, reason }) => (reason === undefined ? [action] : []));
  const refused = judged.flatMap(({ action: { name, page }, reason }) =>
    reason === undefined ? [] : [{ tool: name, page, reason }],
  );
  const { name, description, version } = manifest;
  const shown = kept.map(shownAction);
  const hash = await hashOf(shown);
  const configSchema = configSchemaOf(kept, offer);
  return {
    metadata: { name, description, version, hash, actions: shown, configSchema, defaultConfig: {} },
    actions: new Map(kept.map((action) => [action.name, action])),
    leftOut: [...leftOut, ...refused],
  };
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
 * @param released - the metadata that its version was released with, and that it has for ever: what is offered beyond it
 * is not run, and what is not offered any more says why
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
  const webtool = await offered(manifest, settings);
  return released ? { ...webtool, ...asReleased(webtool, released) } : webtool;
}

/** A webtool with the metadata of a release. */
function asReleased({ actions }: Webtool, metadata: WebtoolMetadata): Pick<Webtool, 'metadata' | 'actions'> {
  const names = new Set(metadata.actions.map(({ name }) => name));
  return { metadata, actions: new Map([...actions].filter(([name]) => names.has(name))) };
}
