/** The members are undefined on a server, where the classes can be imported but not constructed. */
const globals: Partial<Pick<typeof globalThis, 'HTMLElement' | 'customElements'>> = globalThis;
export const BaseElement: typeof HTMLElement = globals.HTMLElement ?? (class {} as typeof HTMLElement);

/** Defines an element unless the name is already defined or this is a server. */
export function defineElement(name: string, element: CustomElementConstructor): void {
  if (!globals.customElements?.get(name)) globals.customElements?.define(name, element);
}

/** An object without a prototype, so that a page's additions to `Object.prototype` are not read as options. */
export const withoutPrototype = <Type extends object>(members: Type): Type =>
  Object.assign(Object.create(null) as Type, members);

const attributeName = (property: string): string =>
  property === 'htmlFor' ? 'for' : property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The names of the attributes that properties reflect. */
export const attributeNames = (...properties: readonly string[]): readonly string[] => properties.map(attributeName);

/**
 * Defines properties that reflect attributes as strings or booleans.
 * https://html.spec.whatwg.org/#reflecting-content-attributes-in-idl-attributes
 */
export function reflect(prototype: object, strings: readonly string[], booleans: readonly string[]): void {
  for (const property of [...strings, ...booleans]) {
    const name = attributeName(property);
    const isBoolean = booleans.includes(property);
    const descriptor: ThisType<Element> & PropertyDescriptor = {
      configurable: true,
      enumerable: true,
      get: function () {
        return isBoolean ? this.hasAttribute(name) : (this.getAttribute(name) ?? '');
      },
      set: function (value: unknown) {
        if (isBoolean) this.toggleAttribute(name, !!value);
        // Frameworks unset a property with `undefined` or `null`.
        else if (value === undefined || value === null) this.removeAttribute(name);
        else this.setAttribute(name, value as string);
      },
    };
    Object.defineProperty(prototype, property, withoutPrototype(descriptor));
  }
}

/**
 * Calls the setters of properties that were assigned before the element was upgraded.
 * https://web.dev/articles/custom-elements-best-practices#make_properties_lazy
 */
export function upgradeProperties(element: object, properties: readonly string[]): void {
  for (const property of properties) {
    const early = Object.getOwnPropertyDescriptor(element, property);
    if (early && Reflect.deleteProperty(element, property)) Reflect.set(element, property, early.value);
  }
}

/** Listeners of `<webmcp-tool>` that run when a `<webmcp-param>` child is added, removed or changed. */
export const paramListeners = new WeakMap<Element, () => void>();

let sheet: CSSStyleSheet | undefined;

/** Renders the children of an element except its parameters. */
export function renderSlot(element: HTMLElement): void {
  if (element.shadowRoot) return;
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(':host{display:contents}::slotted(webmcp-param){display:none}');
  }
  const root = element.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheet];
  root.append(document.createElement('slot'));
}
