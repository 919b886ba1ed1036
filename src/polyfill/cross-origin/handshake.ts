import { apply } from '../../platform/primordials.js';
import { withoutPrototype, SafeMap, SafeWeakMap } from '../../platform/collections.js';
import { visit } from '../frames/context.js';
import type { Connection } from './channel.js';
import { childrenOf, isClosed, ownRealm, parentOf } from '../frames/realm.js';
import { listenFirst } from '../../platform/signals.js';
import { startTimeout, createMessageChannel } from '../../platform/tasks.js';
import { isObject } from '../idl/web-idl.js';

/**
 * Another copy of this script in the same tree of frames, most often of another origin.
 *
 * A script greets every window that it does not serve, and who serves a window that was greeted welcomes it, with a port
 * at their first meeting. The browser vouches for the origin of the sender of these messages, so what comes through the
 * port needs no further proof while the peer's document is there. The greeting is a random number: who returns it can read
 * the messages of the window that was greeted.
 */
export interface Peer {
  readonly window: Window;
  /** Serialised; "null" if opaque. */
  readonly origin: string;
  /** Tells the documents of one window apart. */
  readonly document: string;
  /** Two, if each greeted the other at once: messages go through the first, and come through both. */
  readonly ports: MessagePort[];
  readonly questions: SafeMap<number, (answer: unknown) => void>;
  /** What ends the calls of the peer that run here, by its number for them. */
  readonly calls: SafeMap<number, () => void>;
}

const key = 'webmcp-forms';
/** How long a page may be busy before it counts as gone, in milliseconds. */
const patience = 5000;
/** How long the first list waits for those that have not answered, in milliseconds: most will never do. */
const grace = 200;
const peers = new SafeMap<Window, Peer>();
/** Which document serves a window, as its welcome proved. */
const servers = new SafeWeakMap<Window, Pick<Peer, 'window' | 'document'>>();
/** The windows that were greeted last, by the greeting. */
const greeted = new SafeMap<string, Window>();
let settling: Promise<unknown> | undefined;
let settled = (_?: unknown): void => undefined;
let self = '';
let counter = 0;

/** In WebKit, the source of a message is the window that the function is of: it has to be ours. */
const ownPostMessage = globalThis.postMessage as (() => void) | undefined;
const post = (window: Window, message: object, options: WindowPostMessageOptions): void =>
  apply(ownPostMessage as () => void, window, [message, withoutPrototype(options)]);

export interface MeetingOptions {
  /** Whether this script serves a window. */
  readonly isServed: (window: Window) => boolean;
  readonly receive: (peer: Peer, message: unknown) => void;
  readonly onMeet: () => void;
  /** One whom we greeted was met by its answer. */
  readonly onWelcome: (peer: Peer) => void;
}

/** Greets the others now, and whoever comes later greets us. */
export function meetPeers(options: MeetingOptions): Connection {
  const { window } = ownRealm();
  self = crypto.randomUUID();
  const part = (): void => allPeers().forEach((peer) => leave(peer, true));
  const meetAgain = (event: Event): void => void ((event as PageTransitionEvent).persisted && greetAll(options));
  const onMessage = (event: Event): void => receiveMessage(event as MessageEvent, options);
  const controller = new AbortController();
  listenFirst(window, 'pagehide', part, controller.signal);
  listenFirst(window, 'pageshow', meetAgain, controller.signal);
  greetAll(options);
  return {
    answerAt(served, signal) {
      for (const peer of allPeers()) tell(peer, { type: 'greet', path: pathOf(served) }); // it may have done so in vain
      listenFirst(served, 'message', onMessage, signal);
    },
    checkAt,
    end() {
      part();
      greeted.clear();
      controller.abort();
    },
  };
}

function greetAll(options: MeetingOptions): void {
  greeted.clear();
  visit(ownRealm().window.top as Window, (window) => greet(window, options));
  if (greeted.size === 0) return;
  settling = new Promise((resolve) => (settled = resolve));
  startTimeout(grace, settled);
}

/** Resolves when all that were greeted at the start have answered, or had the time to. */
export const allMet = async (): Promise<unknown> => settling;

function greet(window: Window, { isServed }: MeetingOptions): void {
  if (!isServed(window) && !peerServing(window)) sendGreeting(window);
}

function sendGreeting(window: Window): void {
  for (const [greeting, each] of greeted) if (isClosed(each)) greeted.delete(greeting);
  const sent = [...greeted].find(([, each]) => each === window)?.[0]; // its answer may be on its way
  const greeting = sent ?? crypto.randomUUID();
  greeted.set(greeting, window);
  post(window, { [key]: 'hello', greeting, document: self }, { targetOrigin: '*' });
}

/** A frame has loaded: the peer that was in it may be gone without a word. */
function checkAt(window: Window): void {
  const peer = peers.get(window);
  if (!peer) return;
  const before = servers.get(window);
  sendGreeting(window);
  startTimeout(patience, () => {
    if (servers.get(window) === before && peers.get(window) === peer) leave(peer);
  });
}

function receiveMessage(event: MessageEvent<unknown>, options: MeetingOptions): void {
  const { data, origin, ports } = event;
  const [kind, greeting, document] = [field(data, key), field(data, 'greeting'), field(data, 'document')];
  if (typeof kind !== 'string' || typeof greeting !== 'string' || typeof document !== 'string') return;
  event.stopImmediatePropagation();
  const window = event.source as Window | null;
  const own = ownRealm().window;
  if (!window || window === own || window.top !== own.top) return;
  if (kind === 'hello') {
    const transfer: MessagePort[] = [];
    if (peers.get(window)?.document !== document) {
      const { port1, port2 } = createMessageChannel();
      transfer.push(port2);
      meet({ window, origin, document, ports: [port1] }, options);
    }
    const welcome = { [key]: 'welcome', greeting, document: self };
    return post(window, welcome, { targetOrigin: origin === 'null' ? '*' : origin, transfer });
  }
  const known = peers.get(window);
  if (ports[0]) meet({ window, origin, document, ports: [ports[0]] }, options);
  const served = greeted.get(greeting);
  greeted.delete(greeting);
  if (served) servers.set(served, { window, document });
  if (greeted.size === 0) settled();
  options.onMeet();
  const peer = peers.get(window);
  if (peer && peer !== known) options.onWelcome(peer);
}

/** Keeps the port to a peer, and lets go of the one that was in its window before. */
function meet(found: Omit<Peer, 'questions' | 'calls'>, options: MeetingOptions): void {
  const { window, origin, document, ports } = found;
  const known = peers.get(window);
  const isKnown = known?.document === document && known.origin === origin;
  if (known && !isKnown) leave(known);
  const peer: Peer = isKnown ? known : { ...found, ports: [], questions: new SafeMap(), calls: new SafeMap() };
  peer.ports.push(...ports);
  peers.set(window, peer);
  servers.set(window, { window, document });
  for (const port of ports) port.onmessage = ({ data }: MessageEvent<unknown>) => receivePort(peer, data, options);
  options.onMeet();
}

function receivePort(peer: Peer, data: unknown, options: MeetingOptions): void {
  if (peers.get(peer.window) !== peer || isClosed(peer.window)) return leave(peer); // a port may outlive its page
  const number = field(data, 'number') as number;
  switch (field(data, 'type')) {
    case 'answer': {
      const answer = peer.questions.get(number);
      peer.questions.delete(number);
      return answer?.(field(data, 'value'));
    }
    case 'greet': {
      const window = windowAt(field(data, 'path'));
      return window && greet(window, options);
    }
    case 'cancel':
      peer.calls.get(number)?.();
      peer.calls.delete(number);
      return;
    case 'bye':
      return leave(peer);
    default:
      return options.receive(peer, data);
  }
}

/** Ends what goes on with a peer that is gone, or that we leave. */
export function leave(peer: Peer, say = false): void {
  if (say) tell(peer, { type: 'bye' });
  if (peers.get(peer.window) === peer) peers.delete(peer.window);
  for (const end of peer.calls.values()) end();
  for (const answer of peer.questions.values()) answer(undefined);
  peer.calls.clear();
  peer.questions.clear();
  for (const port of peer.ports) port.close();
}

/** Whether there is anybody who has answered, or may yet. */
export const hasOthers = (): boolean => peers.size + greeted.size > 0;

export const allPeers = (): readonly Peer[] => [...peers.values()];

/** The peer that serves a window. */
export function peerServing(window: Window): Peer | undefined {
  const server = servers.get(window);
  const peer = server && peers.get(server.window);
  return peer?.document === server?.document ? peer : undefined;
}

export const tell = (peer: Peer, message: object): void => peer.ports[0]?.postMessage(message);

/** Asks a peer; `answer` gets undefined if the peer goes away. The result is the number of the question. */
export function question(peer: Peer, message: object, answer: (value: unknown) => void): number {
  const number = ++counter;
  peer.questions.set(number, answer);
  tell(peer, { ...message, number });
  return number;
}

/** The answer of a peer, or undefined if it is late or the peer goes away. */
export const answerOf = (peer: Peer, message: object): Promise<unknown> =>
  new Promise((resolve) => {
    const number = question(peer, message, resolve);
    startTimeout(patience, () => {
      peer.questions.delete(number);
      resolve(undefined);
    });
  });

/** Where a window is in the tree of frames: an index for each step down from the top. */
export function pathOf(window: Window): readonly number[] {
  const parent = parentOf(window);
  return parent === window ? [] : [...pathOf(parent), childrenOf(parent).indexOf(window)];
}

export function windowAt(path: unknown): Window | undefined {
  if (!Array.isArray(path)) return undefined;
  let window: Window | undefined = ownRealm().window.top ?? undefined;
  for (const index of path) window = window && childrenOf(window)[index as number];
  return window;
}

/** An own property of a message. */
export const field = (data: unknown, name: string): unknown =>
  isObject(data) && Object.hasOwn(data, name) ? Reflect.get(data, name) : undefined;
