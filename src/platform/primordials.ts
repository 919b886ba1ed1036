/**
 * Members of the platform as functions, captured when a module is evaluated; undefined on a server. The rule: members
 * of nodes, documents, controls, events and event targets are read by such functions, because a control named `attributes`
 * clobbers `form.attributes`, `<img name=body>` clobbers `document.body`, and old libraries patch these prototypes. The
 * functions are in `dom.ts`, `signals.ts` and `src/browser/dom/members.ts`. Maps and sets come from `collections.ts`, which
 * captures their methods. Globals that test libraries and pages replace are captured, too: JSON, timers, and the interfaces
 * that read a submission (`FormData`, `MutationObserver`, `getComputedStyle`). Everything else is read directly:
 * collections, mutation records, observers, signals, other constructors. Exceptions are members that this package patches
 * itself, and getters by which the objects of an interface are recognized. The lint rule `repository/clobbered` checks
 * forms and documents.
 */
export const apply: <Value>(operation: () => Value, target: unknown, args: readonly unknown[]) => Value =
  Reflect.apply.bind(Reflect);

// Captured for the parts that are loaded later: old libraries replace `bind`.
const bind = Reflect.get(Function.prototype, 'bind') as () => unknown;
const call: unknown = Reflect.get(Function.prototype, 'call');

/** Turns a method into a function whose first parameter is `this`. Engines run a bound `call` as fast as the method. */
const uncurryThis = (method: unknown): unknown => apply(bind, call, [method]);

/** The getter of an attribute, such as `parentNode` of `Node`. */
export const getter = /* @__NO_SIDE_EFFECTS__ */ <Target, Value>(
  name: string,
  attribute: string,
): ((target: Target) => Value) => uncurryThis(member(name, attribute, 'get')) as (target: Target) => Value;

/** The setter of an attribute, such as `value` of `HTMLInputElement`. */
export const setter = /* @__NO_SIDE_EFFECTS__ */ <Target, Value>(
  name: string,
  attribute: string,
): ((target: Target, value: Value) => void) =>
  uncurryThis(member(name, attribute, 'set')) as (target: Target, value: Value) => void;

/** A method, such as `getAttribute` of `Element`. */
export const method = /* @__NO_SIDE_EFFECTS__ */ <Target, Args extends readonly unknown[], Value>(
  name: string,
  operation: string,
): ((target: Target, ...args: Args) => Value) =>
  uncurryThis(member(name, operation, 'value')) as (target: Target, ...args: Args) => Value;

function member(name: string, property: string, part: 'get' | 'set' | 'value'): unknown {
  const { prototype = {} } = (Reflect.get(globalThis, name) ?? {}) as { readonly prototype?: object };
  return Reflect.get(Object.getOwnPropertyDescriptor(prototype, property) ?? {}, part);
}
