import type { ToolHost } from '../webmcp.js';

/** The key of what a window that the polyfill serves carries for other scripts of its origin. */
export const portKey = Symbol.for('webmcp-forms');

/** Where scripts that were loaded apart from the polyfill find it. */
export interface Port {
  readonly version: 1;
  /** Where a document's tools are registered. */
  hostOf(document: Document): ToolHost | undefined;
}

/** What a window of this origin carries, if it is of a version that this code knows. */
export function portOf(window: Window): Port | undefined {
  const port = Object.getOwnPropertyDescriptor(window, portKey)?.value as Port | undefined;
  return port?.version === 1 ? port : undefined;
}
