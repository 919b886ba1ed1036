import { modelContextOf } from '../platform/model-context.js';
import type { ToolHost } from '../webmcp.js';
import { LazyPart } from '../platform/lazy-part.js';
import { isNative, start } from './install.js';
import { removalBy } from './uninstall.js';
import type { Validator } from './validator.js';

export type { CheckInput, InputError, Validator } from './validator.js';
export type * from '../webmcp.js';

export interface ApplyOptions {
  /** Removes the polyfill when aborted, with all tools, interfaces and listeners. */
  readonly signal?: AbortSignal;
  /**
   * Validates the input of tools that have an `inputSchema`. `'ajv'` loads Ajv at the first call.
   * @default no validation, as in browsers
   */
  readonly validate?: 'ajv' | Validator;
}

/** Whether this page has a `document.modelContext`, of the browser or any polyfill. */
export const isSupported = (): boolean => typeof Document === 'function' && modelContextOf(window) !== undefined;

/** Whether the `document.modelContext` of this page is the object of this polyfill. */
export const isPolyfilled = (): boolean => isSupported() && !isNative(window);

/**
 * Adds `document.modelContext` where it is missing, and `navigator.modelContext` of the older drafts, to this page and its
 * frames of the same origin. The `document.modelContext` of the browser or of another polyfill is not changed. Needs a
 * secure context.
 *
 * Returns the host of live forms; undefined if `document.modelContext` is not of this polyfill.
 * @example
 * import { apply } from 'webmcp-forms/polyfill';
 * apply();
 */
export function apply({ signal, validate }: ApplyOptions = {}): ToolHost | undefined {
  if (typeof Document === 'undefined' || signal?.aborted) return undefined;
  return start(new LazyPart(() => import('./agent/index.js')), {
    removal: signal && removalBy(signal),
    validator: validate === 'ajv' ? ajv : validate,
  });
}

const ajv: Validator = async (schema, tool) => (await import('./ajv.js')).ajvValidator(schema, tool);
