import { manifestIn, type GatewayManifest, type ManifestJson } from './tool.js';

/**
 * A manifest that can be replaced while it is served. It dispatches `change` when it was.
 *
 * @example
 * const live = new LiveManifest(manifest);
 * const handle = createGateway(live, { baseUrl: 'https://shop.example/' });
 * live.update(newManifest);
 */
export class LiveManifest extends EventTarget {
  #current: GatewayManifest;

  /** @throws {TypeError} for what is no manifest */
  constructor(manifest: ManifestJson) {
    super();
    this.#current = manifestIn(manifest);
  }

  get current(): GatewayManifest {
    return this.#current;
  }

  /** @throws {TypeError} for what is no manifest: the one before stays */
  update(manifest: ManifestJson): void {
    this.#current = manifestIn(manifest);
    this.dispatchEvent(new Event('change'));
  }
}

/** A manifest that never changes is one that has not changed yet. */
export const liveManifest = (manifest: ManifestJson | LiveManifest): LiveManifest =>
  manifest instanceof LiveManifest ? manifest : new LiveManifest(manifest);
