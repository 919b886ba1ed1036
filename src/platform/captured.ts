/**
 * The platform's own getters and methods, captured when a module is evaluated: a control named `attributes` or
 * `parentNode` clobbers the property of that name on its form, and a page may patch its globals later.
 *
 * Where there is no document (a server that only imports the package) they are captured as missing and fail when used.
 */
export const apply: <Value>(operation: () => Value, target: unknown, args: readonly unknown[]) => Value =
  Reflect.apply.bind(Reflect);

/** Reads an attribute of an interface, such as `Node`'s `parentNode`. */
export function getter<Target, Value>(name: string, attribute: string): (target: Target) => Value {
  const get = member(name, attribute, 'get') as () => Value;
  return (target) => apply(get, target, []);
}

/** Writes an attribute of an interface, such as `HTMLInputElement`'s `value`. */
export function setter<Target, Value>(name: string, attribute: string): (target: Target, value: Value) => void {
  const set = member(name, attribute, 'set') as () => void;
  return (target, value) => apply(set, target, [value]);
}

/** Calls a method of an interface, such as `Element`'s `getAttribute`. */
export function method<Target, Args extends readonly unknown[], Value>(
  name: string,
  operation: string,
): (target: Target, ...args: Args) => Value {
  const run = member(name, operation, 'value') as () => Value;
  return (target, ...args) => apply(run, target, args);
}

function member(name: string, property: string, part: 'get' | 'set' | 'value'): unknown {
  const { prototype = {} } = (Reflect.get(globalThis, name) ?? {}) as { readonly prototype?: object };
  return Reflect.get(Object.getOwnPropertyDescriptor(prototype, property) ?? {}, part);
}
