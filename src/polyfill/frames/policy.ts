import { viewOf, getAttribute } from '../../platform/dom.js';
import type { PolyfillState } from '../state.js';
import { documentOf, frameElementOf, parentOf } from './realm.js';

/**
 * Whether the permissions policy allows a document the feature "tools"; undefined while only an embedding page of another
 * origin knows, and in a frame with its own policy until the agent script has been loaded.
 * https://www.w3.org/TR/permissions-policy/#algo-is-feature-enabled
 */
export function isAllowed({ policies, agent }: PolyfillState, document: Document): boolean | undefined {
  const known = policies.get(document);
  if (known !== undefined) return known;
  const view = viewOf(document);
  const allowed = view ? (agent ? agent.policyOf(view) : defaultPolicyOf(view)) : false;
  if (allowed !== undefined && view) policies.set(document, allowed);
  return allowed;
}

/** By default, frames of the same origin are allowed what their page is allowed. */
function defaultPolicyOf(window: Window): true | undefined {
  const parent = parentOf(window);
  if (parent === window) return true;
  const element = documentOf(parent) && frameElementOf(window);
  return element && getAttribute(element, 'allow') === null ? defaultPolicyOf(parent) : undefined;
}
