import { method } from '../../platform/primordials.js';
import { SafeWeakMap } from '../../platform/collections.js';
import { answerOf, field, pathOf, peerServing, question, windowAt, type Peer } from './handshake.js';
import { allows, whenAllowed } from '../frames/policy.js';
import { documentOf, isClosed, ownRealm, parentOf } from '../frames/realm.js';

/** What the pages that embed peers beside us say of them. */
const verdicts = new SafeWeakMap<Peer, boolean>();

/** Uses whether a peer may use tools: at once where that is known, and after asking who embeds it where it is not. */
export function whenPeerAllowed(peer: Peer, use: (allowed: boolean) => void): void {
  const known = isPeerAllowed(peer);
  if (known !== undefined) return use(known);
  void askEmbedder(peer, use);
}

async function askEmbedder(peer: Peer, use: (allowed: boolean) => void): Promise<void> {
  const embedder = peerServing(parentOf(peer.window));
  const asked = { type: 'policy', path: pathOf(peer.window), origin: peer.origin };
  const allowed = embedder && (await answerOf(embedder, asked));
  if (typeof allowed === 'boolean') verdicts.set(peer, allowed);
  use(allowed === true); // not, where nobody can say
}

/** Undefined while who embeds the peer has not been asked. */
export function isPeerAllowed(peer: Peer): boolean | undefined {
  const { window } = peer;
  if (isClosed(window)) return false;
  if (isAboveUs(window)) return true; // else we were not allowed ourselves
  const outer = inFrameOfOurs(window);
  if (outer) return framePolicy(outer, peerServing(outer)?.origin ?? 'unknown');
  return peer.origin === ownRealm().origin || verdicts.get(peer); // one origin needs no guard against itself
}

function isAboveUs(window: Window): boolean {
  let above: Window = ownRealm().window;
  while (parentOf(above) !== above) {
    above = parentOf(above);
    if (above === window) return true;
  }
  return false;
}

/** The window on the way up from another that is in a frame of ours: the frame counts that a peer is in, however deep. */
function inFrameOfOurs(window: Window): Window | undefined {
  const parent = parentOf(window);
  if (parent === window) return undefined;
  return documentOf(parent) ? window : inFrameOfOurs(parent);
}

const framesIn: (document: Document, selectors: string) => Iterable<Element> = method('Document', 'querySelectorAll');

/** What the `allow` of the frame says that a window is in, whose parent is ours. */
function framePolicy(window: Window, origin: string): boolean {
  const embedder = documentOf(parentOf(window));
  if (!embedder || parentOf(window) === window) return false;
  const element = [...framesIn(embedder, 'iframe, frame, object, embed')].find(
    (frame) => Reflect.get(frame, 'contentWindow') === window,
  );
  return !!element && allows(element, ownRealm().origin, origin);
}

/** Asks the page above a window of ours, which is of another origin, for its policy. */
export function askPolicy(window: Window, answer: (allowed: boolean) => void): void {
  const peer = peerServing(parentOf(window));
  if (!peer) return;
  question(peer, { type: 'policy', path: pathOf(window), origin: ownRealm().origin }, (allowed) => {
    if (typeof allowed === 'boolean') answer(allowed);
  });
}

/** Answers what we, as the page that embeds a window, say of an origin in it. */
export async function answerPolicy(message: unknown, reply: (allowed: boolean | undefined) => void): Promise<void> {
  const window = windowAt(field(message, 'path'));
  const origin = field(message, 'origin');
  const document = window && documentOf(parentOf(window));
  const own = document ? await whenAllowed({ document }) : undefined;
  reply(own && window && typeof origin === 'string' && framePolicy(window, origin));
}
