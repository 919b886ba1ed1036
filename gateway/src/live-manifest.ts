import { checkManifest, type GatewayManifest, type ManifestJson } from './manifest.js';

/**
 * A manifest that can be replaced while it is served. Each replacement dispatches `change`.
 *
 * @example
 * const live = new LiveManifest(manifest);
 * const handle = createGateway(live, { baseUrl: 'https://shop.example/' });
 * live.update(newManifest);
 */
export class LiveManifest extends EventTarget {
  #current: GatewayManifest;

  /** @throws {TypeError} if the manifest is invalid */
  constructor(manifest: ManifestJson) {
    super();
    this.#current = checkManifest(manifest);
  }

  get current(): GatewayManifest {
    return this.#current;
  }

  /** @throws {TypeError} if the manifest is invalid; the current manifest stays in use */
  update(manifest: ManifestJson): void {
    this.#current = checkManifest(manifest);
    this.dispatchEvent(new Event('change'));
  }
}

/** Wraps a static manifest as a live one. */
export const toLiveManifest = (manifest: ManifestJson | LiveManifest): LiveManifest =>
  manifest instanceof LiveManifest ? manifest : new LiveManifest(manifest);
