/**
 * The platform's own getters and methods, captured when a module is evaluated: a control named `attributes` or
 * `parentNode` clobbers the property of that name on its form, and a page may patch its globals later.
 *
 * Where there is no document (a server that only imports the package) they are captured as missing and fail when used.
 */
export const apply: <Value>(operation: () => Value, target: unknown, args: readonly unknown[]) => Value =
  Reflect.apply.bind(Reflect);

/** A method as a function that takes its object first: `call` bound to it, which engines run as fast as the method. */
const uncurry = (method: unknown): unknown =>
  Reflect.apply(Reflect.get(Function.prototype, 'bind') as () => unknown, Reflect.get(Function.prototype, 'call'), [
    method,
  ]);

/** Reads an attribute of an interface, such as `Node`'s `parentNode`. */
export const getter = <Target, Value>(name: string, attribute: string): ((target: Target) => Value) =>
  uncurry(member(name, attribute, 'get')) as (target: Target) => Value;

/** Writes an attribute of an interface, such as `HTMLInputElement`'s `value`. */
export const setter = <Target, Value>(name: string, attribute: string): ((target: Target, value: Value) => void) =>
  uncurry(member(name, attribute, 'set')) as (target: Target, value: Value) => void;

/** Calls a method of an interface, such as `Element`'s `getAttribute`. */
export const method = <Target, Args extends readonly unknown[], Value>(
  name: string,
  operation: string,
): ((target: Target, ...args: Args) => Value) =>
  uncurry(member(name, operation, 'value')) as (target: Target, ...args: Args) => Value;

function member(name: string, property: string, part: 'get' | 'set' | 'value'): unknown {
  const { prototype = {} } = (Reflect.get(globalThis, name) ?? {}) as { readonly prototype?: object };
  return Reflect.get(Object.getOwnPropertyDescriptor(prototype, property) ?? {}, part);
}
