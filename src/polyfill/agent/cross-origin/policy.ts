import { query } from '../../../platform/dom.js';
import { allows } from '../policy.js';
import type { Agent } from '../agent.js';
import { requestPolicy } from '../permission.js';
import { documentOf, isClosed, parentOf } from '../../frames/realm.js';
import type { PolyfillState } from '../../state.js';
import type { Peer } from './channel.js';
import type { Handshake } from './handshake.js';
import { field } from '../../frames/messages.js';
import { pathOf, windowAt } from './protocol.js';

/** Runs steps with the policy of a peer: synchronously if it is known, else after a request to the embedding page. */
export function withPeerPolicy(handshake: Handshake, peer: Peer, steps: (allowed: boolean) => void): void {
  const known = isPeerAllowed(handshake, peer);
  if (known !== undefined) return steps(known);
  void requestPeerPolicy(handshake, peer, steps);
}

async function requestPeerPolicy(handshake: Handshake, peer: Peer, steps: (allowed: boolean) => void): Promise<void> {
  const embedder = handshake.peerServing(parentOf(peer.window));
  const request = { type: 'policy', path: pathOf(peer.window), origin: peer.origin } as const;
  const allowed = embedder && (await embedder.requestWithTimeout(request));
  if (typeof allowed === 'boolean') peer.isAllowed = allowed;
  steps(allowed === true);
}

/** Whether a peer may use tools; undefined before the embedding page has answered. */
export function isPeerAllowed(handshake: Handshake, { window, origin, isAllowed }: Peer): boolean | undefined {
  const { realm } = handshake.state;
  if (isClosed(window)) return false;
  if (isAncestor(window, realm.window)) return true; // otherwise the policy would not allow this document either
  const embedded = embeddedAncestor(window);
  if (embedded) return framePolicy(handshake.state, embedded, handshake.peerServing(embedded)?.origin ?? 'unknown');
  return origin === realm.origin || isAllowed; // documents of the same origin are not protected from each other
}

function isAncestor(window: Window, descendant: Window): boolean {
  const parent = parentOf(descendant);
  return parent !== descendant && (parent === window || isAncestor(window, parent));
}

/**
 * The nearest inclusive ancestor that is embedded in a document of this origin. The policy of its frame limits
 * the policies of all descendants.
 */
function embeddedAncestor(window: Window): Window | undefined {
  const parent = parentOf(window);
  if (parent === window) return undefined;
  return documentOf(parent) ? window : embeddedAncestor(parent);
}

/** Whether a frame, which is embedded in a document of this origin, allows an origin to use tools. */
function framePolicy({ realm }: PolyfillState, window: Window, origin: string): boolean {
  const embedder = documentOf(parentOf(window));
  if (!embedder || parentOf(window) === window) return false;
  const element = query(embedder, 'iframe, frame, object, embed').find(
    (frame) => Reflect.get(frame, 'contentWindow') === window,
  );
  return !!element && allows(element, realm.origin, origin);
}

export async function answerPolicy(
  agent: Agent,
  message: unknown,
  reply: (allowed: boolean | undefined) => void,
): Promise<void> {
  const window = windowAt(message);
  const origin = field(message, 'origin');
  const document = window && documentOf(parentOf(window));
  const own = document ? await requestPolicy(agent, document) : undefined;
  reply(own && window && typeof origin === 'string' && framePolicy(agent.polyfill, window, origin));
}
