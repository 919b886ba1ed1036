import type { GatewayManifest } from '../../../gateway/src/manifest.js';
import { createWebtool, type WebtoolMetadata } from '../../../gateway/src/webtools/webtool.js';
import type { Release } from '../../../gateway/src/releases/releases.js';
import { webtoolHash } from '../../../src/webtool-client/hash.js';

/** A release with one action. */
export async function releaseOf({
  name = 'shop',
  version = '1.0.0',
  action = 'book',
  description = '',
} = {}): Promise<Release> {
  const requestSchema = {
    type: 'object',
    properties: JSON.parse('{"__proto__":{"type":"string"}}') as object,
  } as const;
  const metadata = {
    name: action,
    description: 'Does.',
    requestSchema,
    responseSchema: {},
    readOnly: true,
    consequential: false,
  };
  const actions = [metadata as never];
  const hash = await webtoolHash({ name, description, actions });
  return {
    version,
    hash,
    released: '2026-01-02T03:04:05.678Z',
    metadata: { name, description, version, hash, actions, configSchema: {}, defaultConfig: {} },
    manifest: { name, description, version, pages: [] },
  };
}

/** The metadata of a manifest with the default policy. */
export async function metadataOf(manifest: GatewayManifest): Promise<WebtoolMetadata> {
  const policy = { autosubmitOnly: false, clientSecrets: false, config: {}, origins: [] };
  return (await createWebtool(manifest, policy)).metadata;
}
