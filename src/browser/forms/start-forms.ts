import { apply } from '../../platform/primordials.js';
import { withoutPrototype } from '../../platform/collections.js';
import { portOf } from '../../platform/port.js';
import { isAborted, listen } from '../../platform/signals.js';
import type { ModelContext, ToolHost } from '../../webmcp.js';
import { domTree, viewOf } from '../dom/dom-tree.js';
import { LiveForms } from './live-forms.js';
import { nativeHost } from './native-host.js';
import type { Settings } from '../settings.js';
import { hasSubmitMembers, prepareWindow, type Global } from '../submission/submit-event.js';

const isSecure = (window: Window): boolean => window.isSecureContext;

/**
 * Keeps the forms of a root registered with a host; without one, with the polyfill that serves the window, or with the
 * browser's own model context. Gives what takes notice of a change that no mutation tells.
 */
export function startForms(
  root: Node,
  settings: Settings,
  { host, signal }: { readonly host?: ToolHost | undefined; readonly signal?: AbortSignal | undefined },
): (element: Element) => void {
  const window = viewOf(root);
  if (!window || !isSecure(window) || (signal && isAborted(signal))) return () => undefined;
  const modelContext = contextIn(window);
  const port = host ?? portOf(window)?.hostOf(window.document);
  const isNative = port === undefined && hasSubmitMembers(window);
  if (!isNative) prepareWindow(window);
  const forms = new LiveForms(root, settings, port ?? nativeHost(modelContext), isNative ? isOnlyOurs : () => true);
  settings.prepare?.(window, (element) => forms.takeChange(element), signal);
  settings.arrive?.(window.document);
  forms.start(window.document, signal);
  listen(modelContext, 'toolchange', () => forms.retry(), withoutPrototype(signal ? { signal } : {}));
  return (element) => forms.takeChange(element);
}

/** A browser that makes tools of forms itself does not see the annotations that are ours alone. */
const isOnlyOurs = (form: Element): boolean =>
  !domTree.attribute(form, 'toolname') || domTree.attribute(form, 'tooldescription') === null;

/** A form named `modelContext` would be found first. */
function contextIn({ document, Document }: Global): ModelContext {
  const descriptor = Object.getOwnPropertyDescriptor(Document.prototype, 'modelContext') ?? {};
  const get = Reflect.get(descriptor, 'get') as (() => ModelContext) | undefined;
  if (get) return apply(get, document, []);
  throw new DOMException('The page has no document.modelContext: call apply() first.', 'NotSupportedError');
}
