import type { ToolHost } from '../webmcp.js';
import { ajvValidator } from './ajv.js';
import { isNative } from './install.js';
import { ownRealm } from './frames/realm.js';
import { connect } from './cross-origin/tools.js';
import { start } from './start.js';
import type { Validator } from './validate.js';

export type { CheckInput, InputError, Validator } from './validate.js';
export type * from '../webmcp.js';

export interface ApplyOptions {
  /** Takes everything back when aborted: tools, interfaces, listeners. */
  readonly signal?: AbortSignal;
  /**
   * Checks the input of tools that have an `inputSchema` before they run; `'ajv'` loads Ajv when it is needed first.
   * @default no check, as in browsers
   */
  readonly validate?: 'ajv' | Validator;
}

/** Whether this page has a `document.modelContext`, the browser's own or a polyfilled one. */
export const isSupported = (): boolean => typeof Document === 'function' && 'modelContext' in Document.prototype;

/** Whether this page's `document.modelContext` is a polyfilled one. */
export const isPolyfilled = (): boolean => isSupported() && !isNative(ownRealm().window);

/**
 * Gives the page `document.modelContext` where it is missing, and the older drafts' `navigator.modelContext`. A native one
 * is left alone, and only secure contexts get either. Frames of the same origin are served too.
 *
 * Returns where live forms register; undefined where the browser has its own, and in contexts that are not secure.
 * @example
 * import { apply } from 'webmcp-forms/polyfill';
 * apply();
 */
export const apply = ({ signal, validate }: ApplyOptions = {}): ToolHost | undefined =>
  start({ signal, validator: validate === 'ajv' ? ajvValidator : validate, connect });
