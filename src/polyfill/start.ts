import type { ToolHost } from '../webmcp.js';
import { hookOf, install, installNavigator, isNative, nearestHook, type InstallOptions } from './install.js';
import { ownRealm } from './frames/realm.js';

/** Polyfills this page, or asks the page above that has the polyfill to serve it. */
export function start(options: InstallOptions = {}): ToolHost | undefined {
  const { signal } = options;
  if (typeof Document === 'undefined' || signal?.aborted) return undefined;
  const { window } = ownRealm();
  if (isNative(window)) {
    installNavigator(window, signal);
    return undefined;
  }
  (nearestHook(window) ?? { install }).install(window, options);
  return hookOf(window)?.hostOf(window.document);
}
