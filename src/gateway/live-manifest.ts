import type { GatewayManifest } from './tool.js';

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

  constructor(manifest: GatewayManifest) {
    super();
    this.#current = manifest;
  }

  get current(): GatewayManifest {
    return this.#current;
  }

  update(manifest: GatewayManifest): void {
    this.#current = manifest;
    this.dispatchEvent(new Event('change'));
  }
}

/** A manifest that never changes is one that has not changed yet. */
export const liveManifest = (manifest: GatewayManifest | LiveManifest): LiveManifest =>
  manifest instanceof LiveManifest ? manifest : new LiveManifest(manifest);
