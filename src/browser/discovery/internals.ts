import { SafeWeakMap } from '../../platform/collections.js';
import type { Global } from '../../platform/dom.js';
import { listenToPrototype } from '../../platform/patched-prototypes.js';
import { apply, getter } from '../../platform/primordials.js';
import { define, operation, type Method } from '../../platform/properties.js';

type Notify = (element: Element) => void;

const declaredSchemas = new SafeWeakMap<Element, unknown>();
const elementsByInternals = new SafeWeakMap<object, Element>();

/** The value that a custom element has declared as its schema. */
export const declaredSchemaOf = (element: Element): unknown => declaredSchemas.get(element);

/**
 * Adds `ElementInternals.setToolParamSchema` to a window where it is missing. Until the signal aborts, `onChange` receives
 * every element whose schema may have changed.
 */
export const observeInternals = (window: Global, onChange: Notify, signal: AbortSignal | undefined): void =>
  listenToPrototype<Element>(window.ElementInternals.prototype, onChange, signal, (notify) =>
    patchInternals(window, notify),
  );

function patchInternals(window: Global, notify: Notify): void {
  const { prototype } = window.ElementInternals;
  const native = Reflect.get(prototype, 'setToolParamSchema') as unknown;
  const { value: attachInternals } = Object.getOwnPropertyDescriptor(
    window.HTMLElement.prototype,
    'attachInternals',
  ) as { readonly value: () => ElementInternals };
  const attach: Method = function () {
    const internals = apply(attachInternals, this, []);
    elementsByInternals.set(internals, this as Element);
    notify(this as Element);
    return internals;
  };
  const setSchema: Method = function (schema) {
    const element = elementsByInternals.get(this as object) ?? hostOfInternals(this as ElementInternals);
    if (element) {
      declaredSchemas.set(element, schema);
      notify(element);
    }
    if (typeof native === 'function') apply(native as () => undefined, this, [schema]);
  };
  define(window.HTMLElement.prototype, 'attachInternals', operation('attachInternals', 0, attach));
  define(prototype, 'setToolParamSchema', operation('setToolParamSchema', 1, setSchema));
}

const shadowRootOf = getter<ElementInternals, ShadowRoot | null>('ElementInternals', 'shadowRoot');
/** The host of internals that were attached before the patch; throws for another argument. */
const hostOfInternals = (internals: ElementInternals): Element | undefined => shadowRootOf(internals)?.host;
