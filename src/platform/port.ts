import type { ToolHost } from '../webmcp.js';

/** The key of the port on a window that the polyfill serves. */
export const portKey = Symbol.for('webmcp-forms');

/** Connects the polyfill to scripts that were loaded apart from it. */
export interface Port {
  readonly version: 1;
  /** The host of a document's tools. */
  hostOf(document: Document): ToolHost | undefined;
}

/** The port of a window of this origin, if its version is known. */
export function portOf(window: Window): Port | undefined {
  const port = Object.getOwnPropertyDescriptor(window, portKey)?.value as Port | undefined;
  return port?.version === 1 ? port : undefined;
}
