import { portOf } from '../../platform/port.js';
import type { ToolHost } from '../../webmcp.js';
import type { PolyfillState } from '../state.js';
import { isNotOriginKeyed } from './policy.js';
import { documentOf, frameElementOf, isFullyActive } from './realm.js';

export type RegisterForms = (document: Document, host: ToolHost, signal: AbortSignal) => void;

/** Registers the forms of a served window's document, at most once. */
export function registerForms(state: PolyfillState, window: Window, register: RegisterForms | undefined): void {
  const { forms } = state;
  endForms(state, (document) => !isFullyActive(document));
  const document = documentOf(window);
  if (!register || !document || forms.has(document) || !isFullyActive(document) || !mayHaveTools(window)) return;
  const host = portOf(window)?.hostOf(document);
  if (!host) return;
  const controller = new AbortController();
  forms.set(document, controller);
  register(document, host, controller.signal);
}

export function endForms({ forms }: PolyfillState, isAffected: (document: Document) => boolean): void {
  for (const [document, controller] of forms) {
    if (!isAffected(document)) continue;
    forms.delete(document);
    controller.abort();
  }
}

/** Whether scripts may run in the frame, and its agent cluster does not forbid tools. */
function mayHaveTools(window: Window): boolean {
  const sandbox = frameElementOf(window)?.getAttribute('sandbox') ?? 'allow-scripts';
  return /\ballow-scripts\b/i.test(sandbox) && !isNotOriginKeyed(window);
}
