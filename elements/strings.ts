/** The sentences of an element by their keys; `{name}` stands for what is filled in. */
export type Strings<Key extends string> = Readonly<Record<Key, string>>;

/** A sentence with its places filled in. */
export const say = (sentence: string, values: Readonly<Record<string, string | number>> = {}): string =>
  sentence.replace(/\{(\w+)\}/g, (place, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : place));
