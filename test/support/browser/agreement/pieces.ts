import * as fc from 'fast-check';

/** A piece of markup. */
export type Markup = fc.Arbitrary<string>;

const escaped = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

export const attribute = (name: string, value: string): string => ` ${name}="${escaped(value)}"`;

/** An attribute that is present in one of `often` cases. */
export const some = (name: string, values: readonly string[], often = 3): Markup =>
  fc.oneof(
    { weight: often - 1, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom(...values).map((value) => attribute(name, value)) },
  );

export const flag = (name: string, often = 3): Markup => some(name, [''], often);

export const join = (...parts: readonly Markup[]): Markup => fc.tuple(...parts).map((all) => all.join(''));

export const list = (part: Markup, minLength: number, maxLength: number): Markup =>
  fc.array(part, { minLength, maxLength }).map((all) => all.join(''));

/** Values, each repeated by its weight. */
export const several = (...groups: readonly (readonly [times: number, ...values: readonly string[]])[]): string[] =>
  groups.flatMap(([times, ...values]) => Array.from({ length: times }, () => values).flat());

/** One of several values with weights. */
export const weighted = <Value>(...choices: readonly (readonly [number, fc.Arbitrary<Value>])[]): fc.Arbitrary<Value> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Names, including some that `portable` maps. */
const names = ['a', 'b', 'c', 'd', 'user[name]', 'tags[]', 'été', 'two words', 'x.y', '0'];

export const common = join(
  fc.constantFrom(...names).map((name) => attribute('name', name)),
  flag('disabled', 40),
  flag('required', 2),
);

export const input = (type: string, ...parts: readonly Markup[]): Markup =>
  join(fc.constant(`<input type="${type}"`), common, ...parts, fc.constant('>'));
