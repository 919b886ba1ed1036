import type { ToolHost } from '../webmcp.js';

/** The key of the port on a window that the polyfill serves. */
export const portKey = Symbol.for('webmcp-forms');

/** Connects the polyfill to separately loaded scripts. */
export interface Port {
  readonly version: 2;
  hostOf(document: Document): ToolHost | undefined;
}

/** The port of a same-origin window; undefined if its version is unknown. */
export function portOf(window: Window): Port | undefined {
  const port = Object.getOwnPropertyDescriptor(window, portKey)?.value as Port | undefined;
  return port?.version === 2 ? port : undefined;
}
