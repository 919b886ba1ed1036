/** What a module needs that a server has not: there the elements are classes that nobody makes one of. */
const known: Partial<Pick<typeof globalThis, 'HTMLElement' | 'customElements'>> = globalThis;
export const BaseElement: typeof HTMLElement = known.HTMLElement ?? (class {} as typeof HTMLElement);

/** Defines an element, where there are elements, unless its name is taken. */
export function defineElement(name: string, element: CustomElementConstructor): void {
  const { customElements: registry } = known;
  if (registry && !registry.get(name)) registry.define(name, element);
}

/** An object without a prototype: what a page adds to `Object.prototype` is no option of ours. */
export const bare = <Type extends object>(members: Type): Type => Object.assign(Object.create(null) as Type, members);

type Reflected = Readonly<Record<string, string>>;

/**
 * Gives a class properties that reflect attributes: texts and booleans, each property with the name of its attribute.
 * https://html.spec.whatwg.org/#reflecting-content-attributes-in-idl-attributes
 */
export function reflect(prototype: object, texts: Reflected, booleans: Reflected): void {
  const define = (
    property: string,
    get: (element: Element) => unknown,
    set: (element: Element, value: unknown) => void,
  ) =>
    Object.defineProperty(
      prototype,
      property,
      bare({
        configurable: true,
        enumerable: true,
        get(this: Element) {
          return get(this);
        },
        set(this: Element, value: unknown) {
          set(this, value);
        },
      }),
    );
  for (const [property, name] of Object.entries(texts)) {
    define(
      property,
      (element) => element.getAttribute(name) ?? '',
      (element, value) => setText(element, name, value),
    );
  }
  for (const [property, name] of Object.entries(booleans)) {
    define(
      property,
      (element) => element.hasAttribute(name),
      (element, value) => element.toggleAttribute(name, !!value),
    );
  }
}

/** Frameworks set what is not there to `undefined` or `null`. */
function setText(element: Element, name: string, value: unknown): void {
  if (value === undefined || value === null) element.removeAttribute(name);
  else element.setAttribute(name, value as string);
}

/** Takes properties that a script has set before the element was upgraded. */
export function takeEarly(element: object, properties: Iterable<string>): void {
  for (const property of properties) {
    const early = Object.getOwnPropertyDescriptor(element, property);
    if (!early || !Reflect.deleteProperty(element, property)) continue;
    Reflect.set(element, property, early.value);
  }
}
