import { stringify } from '../json.js';
import { isCsrfName } from './csrf-token.js';
import type { ControlDescription, FormDescription } from './description.js';

const isCsrfToken = ({ type, name }: ControlDescription): boolean => type === 'hidden' && isCsrfName(name);

/** The members that do not identify a form: they depend on other members, on style sheets or on the place in the source. */
const derived: ReadonlySet<string> = new Set(['location', 'trap', 'preferred', 'evidence']);

/**
 * A string that is equal for forms with the same labels, controls, values and destination. The values of CSRF tokens
 * may differ.
 */
export const formIdentity = ({ limits: _, controls, tool, ...rest }: FormDescription): string =>
  stringify(
    {
      ...rest,
      tool: { ...tool, title: tool.title || null },
      controls: controls.map((each) => (isCsrfToken(each) ? { ...each, attributes: {} } : each)),
    },
    (key, value: unknown) => (derived.has(key) ? undefined : value),
  );

/** The message for a form that is not a tool, because a different form has the same name. */
export const differentForms = (other: string): string =>
  `The ${other} has the same name and is different, so neither is a tool. Rename one of them, or exclude the content of visitors with data-webmcp-ignore.`;
