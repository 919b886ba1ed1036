/**
 * The platform's getters and methods, captured when this module is evaluated: a control named `attributes` clobbers the
 * property of that name on its form, and a page may patch its globals later. On a server they are undefined.
 */
export const apply: <Value>(operation: () => Value, target: unknown, args: readonly unknown[]) => Value =
  Reflect.apply.bind(Reflect);

// Captured for the parts that are loaded later: old libraries replace `bind`.
const bind = Reflect.get(Function.prototype, 'bind') as () => unknown;
const call: unknown = Reflect.get(Function.prototype, 'call');

/** Turns a method into a function whose first parameter is `this`. Engines run a bound `call` as fast as the method. */
const uncurryThis = (method: unknown): unknown => apply(bind, call, [method]);

/** The getter of an attribute, such as `parentNode` of `Node`. */
export const getter = <Target, Value>(name: string, attribute: string): ((target: Target) => Value) =>
  uncurryThis(member(name, attribute, 'get')) as (target: Target) => Value;

/** The setter of an attribute, such as `value` of `HTMLInputElement`. */
export const setter = <Target, Value>(name: string, attribute: string): ((target: Target, value: Value) => void) =>
  uncurryThis(member(name, attribute, 'set')) as (target: Target, value: Value) => void;

/** A method, such as `getAttribute` of `Element`. */
export const method = <Target, Args extends readonly unknown[], Value>(
  name: string,
  operation: string,
): ((target: Target, ...args: Args) => Value) =>
  uncurryThis(member(name, operation, 'value')) as (target: Target, ...args: Args) => Value;

function member(name: string, property: string, part: 'get' | 'set' | 'value'): unknown {
  const { prototype = {} } = (Reflect.get(globalThis, name) ?? {}) as { readonly prototype?: object };
  return Reflect.get(Object.getOwnPropertyDescriptor(prototype, property) ?? {}, part);
}
