import { withoutPrototype } from '../../platform/collections.js';
import { modelContextOf } from '../../platform/model-context.js';
import { portOf } from '../../platform/port.js';
import { isAborted, listen } from '../../platform/signals.js';
import type { ModelContext, ToolHost } from '../../webmcp.js';
import { domTree, windowOf } from '../dom/dom-tree.js';
import { updateEditors } from '../execution/editors.js';
import type { Settings } from '../settings.js';
import { hasSubmitMembers, patchSubmit } from '../submission/submit-event.js';
import { LiveForms } from './live-forms.js';
import { nativeHost } from './native-host.js';

const isSecure = (window: Window): boolean => window.isSecureContext;

/**
 * Registers the forms of a root with a host: by default the polyfill that serves the window, else the browser's own model
 * context. Returns a function to call for a change that causes no mutation.
 */
export function startForms(
  root: Node,
  settings: Settings,
  { host, signal }: { readonly host?: ToolHost | undefined; readonly signal?: AbortSignal | undefined },
): (element: Element) => void {
  const window = windowOf(root);
  if (!window || !isSecure(window) || (signal && isAborted(signal))) return () => undefined;
  const modelContext = modelContextOf(window);
  if (!modelContext) {
    throw new DOMException('document.modelContext is missing. Call apply() first.', 'NotSupportedError');
  }
  const port = host ?? portOf(window)?.hostOf(window.document);
  const isNative = port === undefined && hasSubmitMembers(window);
  if (isNative) updateEditors(window.document, settings, signal);
  else patchSubmit(window);
  const forms = new LiveForms(
    root,
    settings,
    port ?? nativeHost(modelContext, window),
    isNative ? isNotNative : () => true,
  );
  const onChange = (element: Element): void => forms.markChanged(element);
  settings.patchWindow?.(window, onChange, signal);
  settings.onStart?.(window.document);
  forms.start(window.document, signal);
  onToolChange(modelContext, () => forms.retry(), signal);
  return onChange;
}

function onToolChange(modelContext: ModelContext, steps: () => void, signal: AbortSignal | undefined): void {
  try {
    listen(modelContext, 'toolchange', steps, withoutPrototype(signal ? { signal } : {}));
  } catch {
    // The model context of another polyfill may not be an event target.
  }
}

/** Browsers with WebMCP register the other forms themselves. */
const isNotNative = (form: Element): boolean =>
  !domTree.attribute(form, 'toolname') || domTree.attribute(form, 'tooldescription') === null;
