/** The attributes of a `<webmcp-tool>` that select its form, and the attributes of the form that they are compared with. */
const compared = { for: 'id', 'for-name': 'name', 'for-action': 'action' } as const;

type SelectorAttribute = keyof typeof compared;

export const selectorAttributes = Object.keys(compared) as readonly SelectorAttribute[];

/**
 * The selector attributes of a `<webmcp-tool>`, with their values. The form must match all of them. Empty for a form
 * inside the element.
 */
export type FormSelector = readonly (readonly [SelectorAttribute, string])[];

/** Reads an attribute of an element; null if it is absent. */
type ReadAttribute = (name: string) => string | null;

export const formSelectorOf = (read: ReadAttribute): FormSelector =>
  selectorAttributes.flatMap((name) => {
    const value = read(name);
    return value === null ? [] : [[name, value] as const];
  });

/** The part of an action that a selector without a query is compared with. */
export const withoutQuery = (action: string): string => action.replace(/\?.*/s, '');

/** Whether an element has the selected ID, name and action, as written in the page. An empty value matches nothing. */
export const matchesSelector = (selector: FormSelector, read: ReadAttribute): boolean =>
  selector.every(([name, value]) => {
    const found = read(compared[name]) ?? '';
    return value !== '' && value === (name === 'for-action' && !value.includes('?') ? withoutQuery(found) : found);
  });

/** Describes a selector, such as `the ID "news"`. */
export const describeSelector = (selector: FormSelector): string =>
  selector.map(([name, value]) => `the ${name === 'for' ? 'ID' : compared[name]} "${value}"`).join(' and ');
