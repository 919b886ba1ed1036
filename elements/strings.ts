/** The messages of an element by key. `{name}` is a placeholder. */
export type Strings<Key extends string> = Readonly<Record<Key, string>>;

/** Replaces the placeholders of a message. */
export const formatMessage = (message: string, values: Readonly<Record<string, string | number>> = {}): string =>
  message.replace(/\{(\w+)\}/g, (all, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : all));
