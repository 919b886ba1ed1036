/** The attributes of a `<webmcp-tool>` that select its form, and those of the form that they are compared with. */
const compared = { for: 'id', 'for-name': 'name', 'for-action': 'action' } as const;

type SelectorAttribute = keyof typeof compared;

export const selectorAttributes = Object.keys(compared) as readonly SelectorAttribute[];

/** The attributes that an element has, with their values. The form has to match all of them. Empty for a form inside. */
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

/** Whether a form, or with `for` any element, has what is selected, as the page writes it. An empty value matches nothing. */
export const matchesSelector = (selector: FormSelector, read: ReadAttribute): boolean =>
  selector.every(([name, value]) => {
    const found = read(compared[name]) ?? '';
    return value !== '' && value === (name === 'for-action' && !value.includes('?') ? withoutQuery(found) : found);
  });

/** Such as `the ID "news"`. */
export const describeSelector = (selector: FormSelector): string =>
  selector.map(([name, value]) => `the ${name === 'for' ? 'ID' : compared[name]} "${value}"`).join(' and ');
