import type { WebtoolAction } from '../metadata.js';

/** Whether an origin is not that of this page. A server has no origin, so all webtools are third parties there. */
export const isThirdParty = (origin: string): boolean => (globalThis as { origin?: string }).origin !== origin;

/**
 * The description of an action for a model. Names the origin of a third party, and its hints as its own statements.
 * A webtool may omit descriptions, but tools require one.
 */
export function describeAction({ name, title = '', description, ...hints }: WebtoolAction, origin: string): string {
  const text = description || title || name;
  return isThirdParty(origin) ? `${text}\n\n(Third-party tool of ${origin}${statement(hints)}.)` : text;
}

function statement({ readOnly, consequential }: Pick<WebtoolAction, 'readOnly' | 'consequential'>): string {
  if (readOnly) return ', which states that it changes nothing';
  return consequential ? ', which states that a person should confirm it' : '';
}

/** The title of an action for people, with the host of a third party. */
export function titleOf({ name, title }: WebtoolAction, origin: string): string | undefined {
  return isThirdParty(origin) ? `${title || name} (${new URL(origin).host})` : title;
}

const loopback = /^(?:(?:.*\.)?localhost\.?|127(?:\.\d+){3}|\[::1\])$/;

/** Whether others on the network can read or change requests to a URL. */
export const isInsecure = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && !loopback.test(hostname);
