import type { RegisteredTool, ToolAnnotations } from '../webmcp.js';
import { Failure, startCall, type Outcome } from './calls.js';
import { activeContexts, contextIn, domException, isActive, visit, type Context, type Tool } from './context.js';
import { allows, isAllowed, onAsk, whenAllowed } from './policy.js';
import { documentOf, inRealm, isClosed, ownRealm } from './realm.js';
import { listen, unlisten } from './signals.js';
import { isExposed, notifyContext, onNotify } from './tools.js';
import { isObject } from './web-idl.js';

/**
 * Pages of other origins in the same tree of frames that run this script too. A page says hello to every window that it
 * cannot reach; who knows the greeting answers with a port. The browser vouches for the sender's origin in both messages,
 * and a port belongs to one document, so what comes through it needs no further proof.
 */
interface Peer {
  readonly window: Window;
  readonly origin: string;
  readonly document: string;
  port: MessagePort;
  readonly questions: Map<number, (answer: unknown) => void>;
  /** The calls of the peer that run here, by its number for them. */
  readonly calls: Map<number, () => void>;
}

const key = 'webmcp-forms';
const patience = 1000;
const peers = new Map<Window, Peer>();
const hostOf = new WeakMap<Window, Peer>();
let document = '';
let counter = 0;

/** Greets the pages of other origins, now and whenever one comes; the result takes it back. */
export function startPeers(): () => void {
  const { window } = ownRealm();
  document = crypto.randomUUID();
  const goodbye = (): void => [...peers.values()].forEach((peer) => leave(peer, true));
  const again = (event: Event): void => void ((event as PageTransitionEvent).persisted && greetAll());
  listen(window, 'message', onMessage as (event: Event) => void, { capture: true });
  listen(window, 'pagehide', goodbye, { capture: true });
  listen(window, 'pageshow', again, { capture: true });
  onNotify((exposedTo) => {
    for (const peer of peers.values()) if (seesTools(peer, exposedTo)) tell(peer, { type: 'change' });
  });
  onAsk(askPolicy);
  greetAll();
  return () => {
    goodbye();
    unlisten(window, 'message', onMessage as (event: Event) => void, { capture: true });
    unlisten(window, 'pagehide', goodbye, { capture: true });
    unlisten(window, 'pageshow', again, { capture: true });
  };
}

function greetAll(): void {
  visit(ownRealm().window.top as Window, (window) => {
    if (!documentOf(window)) greet(window);
  });
}

const greet = (window: Window): void => window.postMessage({ [key]: 'hello', document }, '*');

function onMessage(event: MessageEvent<unknown>): void {
  const { data, source, origin } = event;
  const kind = field(data, key);
  const sender = field(data, 'document');
  if (typeof kind !== 'string' || typeof sender !== 'string') return;
  event.stopImmediatePropagation();
  const { window } = ownRealm();
  const isNeighbour = source !== null && source !== window && (source as Window).top === window.top;
  if (!isNeighbour) return;
  if (kind === 'hello') {
    const { port1, port2 } = new MessageChannel();
    meet(source as Window, origin, sender, port1);
    const answer = { [key]: 'port', document };
    (source as Window).postMessage(answer, { targetOrigin: origin === 'null' ? '*' : origin, transfer: [port2] });
  } else if (event.ports[0]) {
    meet(source as Window, origin, sender, event.ports[0]);
  }
}

/** Keeps the port to a page, and lets go of the page that was in that window before. */
function meet(window: Window, origin: string, sender: string, port: MessagePort): void {
  const known = peers.get(window);
  const isKnown = known?.document === sender && known.origin === origin;
  if (known && !isKnown) leave(known, false);
  const peer: Peer = isKnown
    ? known
    : { window, origin, document: sender, port, questions: new Map(), calls: new Map() };
  peer.port = port;
  peers.set(window, peer);
  port.onmessage = ({ data }: MessageEvent<unknown>) => receive(peer, data);
  for (const context of activeContexts()) if (isAllowed(context) === undefined) void whenAllowed(context);
}

/** Ends what goes on with a page that is gone, or that we leave. */
function leave(peer: Peer, say: boolean): void {
  if (say) tell(peer, { type: 'bye' });
  if (peers.get(peer.window) === peer) peers.delete(peer.window);
  for (const cancel of peer.calls.values()) cancel();
  for (const answer of peer.questions.values()) answer(undefined);
  peer.calls.clear();
  peer.questions.clear();
}

const tell = (peer: Peer, message: object): void => peer.port.postMessage(message);

function question(peer: Peer, message: object, answer: (value: unknown) => void): number {
  const number = ++counter;
  peer.questions.set(number, answer);
  tell(peer, { ...message, number });
  return number;
}

/** The answer of a page, or undefined if it is late or gone. */
const answerOf = (peer: Peer, message: object): Promise<unknown> =>
  new Promise((resolve) => {
    const number = question(peer, message, resolve);
    setTimeout(() => {
      peer.questions.delete(number);
      resolve(undefined);
    }, patience);
  });

function receive(peer: Peer, data: unknown): void {
  const number = Number(field(data, 'number'));
  const reply = (value: unknown): void => tell(peer, { type: 'answer', number, value });
  switch (field(data, 'type')) {
    case 'answer': {
      const answer = peer.questions.get(number);
      peer.questions.delete(number);
      return answer?.(field(data, 'value'));
    }
    case 'policy':
      return void policyFor(peer, field(data, 'path')).then(reply);
    case 'tools':
      return reply(seesTools(peer, [peer.origin]) ? toolsFor(peer) : []);
    case 'run':
      return runFor(peer, number, data);
    case 'cancel':
      peer.calls.get(number)?.();
      return;
    case 'change':
      return activeContexts().forEach(notifyContext);
    case 'bye':
      return leave(peer, false);
  }
}

/** Whether a page is told of tools exposed to these origins. A frame of ours needs the permissions policy too. */
function seesTools(peer: Peer, exposedTo: readonly string[]): boolean {
  const { origin } = ownRealm();
  const isNamed = peer.origin !== 'null' && (peer.origin === origin || exposedTo.includes(peer.origin));
  return isNamed && framePolicy(peer.window, peer.origin) !== false;
}

/** What we, as the embedding page, say about a window; undefined if it is not in a frame of ours. */
function framePolicy(window: Window, origin: string): boolean | undefined {
  const embedder = documentOf(window.parent);
  if (!embedder || window.parent === window) return undefined;
  const element = [...embedder.querySelectorAll('iframe, frame, object, embed')].find(
    (frame) => (frame as HTMLIFrameElement).contentWindow === window,
  );
  return !!element && allows(element, ownRealm().origin, origin);
}

/** Where a window is in the tree of frames: an index for each step down from the top. */
function pathOf(window: Window): readonly number[] {
  const { parent } = window;
  if (parent === window) return [];
  let index = 0;
  while (index < parent.length && parent[index] !== window) index++;
  return [...pathOf(parent), index];
}

function windowAt(path: unknown): Window | undefined {
  if (!Array.isArray(path)) return undefined;
  let window: Window | undefined = ownRealm().window.top ?? undefined;
  for (const index of path) {
    window = typeof index === 'number' && window && index < window.length ? window[index] : undefined;
  }
  return window;
}

/** Asks the page above a window of ours, which is of another origin, for its policy. */
function askPolicy(window: Window, answer: (allowed: boolean) => void): void {
  const peer = peers.get(window.parent) ?? hostOf.get(window.parent);
  if (!peer) return;
  void answerOf(peer, { type: 'policy', path: pathOf(window) }).then((allowed) => {
    if (typeof allowed === 'boolean') answer(allowed);
  });
}

async function policyFor(peer: Peer, path: unknown): Promise<boolean | undefined> {
  const window = windowAt(path);
  const above = window && window.parent !== window ? contextOrDocument(window.parent) : undefined;
  if (!window || !above) return undefined;
  const own = await whenAllowed(above);
  return own && framePolicy(window, peer.origin);
}

const contextOrDocument = (window: Window): Pick<Context, 'document'> | undefined => {
  const found = documentOf(window);
  return found ? { document: found } : undefined;
};

interface WireTool extends Pick<Tool, 'name' | 'title' | 'description' | 'inputSchema'> {
  readonly path: readonly number[];
  readonly annotations: ToolAnnotations | undefined;
}

function toolsFor(peer: Peer): readonly WireTool[] {
  const owners = activeContexts().filter((context) => isAllowed(context));
  return owners.flatMap((owner) =>
    [...owner.tools.values()]
      .filter((tool) => isExposed(tool, owner.realm.origin, peer.origin))
      .map(({ name, title, description, inputSchema, annotations }) => ({
        ...{ name, title, description, inputSchema, annotations },
        path: pathOf(owner.realm.window),
      })),
  );
}

/** The tools of the pages of these origins; undefined if there is no page to ask. */
export function peerTools(caller: Context, origins: readonly string[]): Promise<RegisteredTool[]> | undefined {
  const asked = [...peers.values()].filter(({ origin }) => origin !== 'null' && origins.includes(origin));
  if (asked.length === 0) return undefined;
  return Promise.all(
    asked.map(async (peer) => {
      const answer = await answerOf(peer, { type: 'tools' });
      return Array.isArray(answer) ? answer.flatMap((wire) => received(caller, peer, wire)) : [];
    }),
  ).then((lists) => lists.flat());
}

/** A tool that a page sent, if it is one. */
function received({ realm }: Context, peer: Peer, wire: unknown): readonly RegisteredTool[] {
  const window = windowAt(field(wire, 'path'));
  const text = (name: string): string => textOf(field(wire, name));
  if (!window || typeof field(wire, 'name') !== 'string') return [];
  hostOf.set(window, peer);
  const annotations = field(wire, 'annotations');
  const hint = (name: string): boolean => field(annotations, name) === true;
  return [
    inRealm(realm, {
      ...(isObject(annotations) && {
        annotations: inRealm(realm, {
          consequentialHint: hint('consequentialHint'),
          debugging: hint('debugging'),
          readOnlyHint: hint('readOnlyHint'),
          untrustedContentHint: hint('untrustedContentHint'),
        }),
      }),
      description: text('description'),
      ...schemaOf(realm.parse, text('inputSchema')),
      name: text('name'),
      origin: peer.origin,
      title: text('title'),
      window,
    }),
  ];
}

function schemaOf(parse: (text: string) => unknown, text: string): { readonly inputSchema?: object } {
  try {
    const inputSchema = text === '' ? undefined : parse(text);
    return isObject(inputSchema) ? { inputSchema } : {};
  } catch {
    return {};
  }
}

interface PeerCall {
  readonly window: Window;
  readonly name: string;
  readonly origin: string;
  /** JSON text. */
  readonly input: string;
}

/** Runs a tool of another page; the result cancels the call. Undefined if no page of that origin is there. */
export function callPeer(
  caller: Context,
  { window, name, origin, input }: PeerCall,
  finish: (outcome: Outcome) => void,
): (() => void) | undefined {
  const peer = peers.get(window) ?? hostOf.get(window);
  if (!peer || peers.get(peer.window) !== peer || peer.origin !== origin) return undefined;
  const settle = (answer: unknown): void => {
    clearInterval(timer);
    finish(outcomeOf(caller, answer));
  };
  const number = question(peer, { type: 'run', name, input, path: pathOf(window) }, settle);
  const cancel = (): void => {
    clearInterval(timer);
    if (peer.questions.delete(number)) tell(peer, { type: 'cancel', number });
  };
  const timer = setInterval(() => {
    if (!isActive(caller)) cancel();
    else if (isClosed(peer.window)) leave(peer, false);
  }, 250);
  return cancel;
}

function outcomeOf(caller: Context, answer: unknown): Outcome {
  const value = field(answer, 'value');
  if (typeof value === 'string' || value === null) return { value };
  const message = textOf(field(answer, 'message')) || 'The document of the tool went away.';
  const name = field(answer, 'name');
  return { error: typeof name === 'string' ? domException(caller, name, message) : new Failure(message) };
}

function runFor(peer: Peer, number: number, data: unknown): void {
  const window = windowAt(field(data, 'path'));
  const target = window && contextIn(window);
  const [name, input] = [field(data, 'name'), field(data, 'input')];
  const reply = (value: unknown): void => {
    peer.calls.delete(number);
    tell(peer, { type: 'answer', number, value });
  };
  const isWrong = !target || typeof name !== 'string' || typeof input !== 'string' || !seesTools(peer, [peer.origin]);
  if (isWrong || !isAllowed(target)) return reply({ message: 'There is no such tool for this page.' });
  const mayRun = (tool: Tool): boolean => isExposed(tool, target.realm.origin, peer.origin);
  const finish = (outcome: Outcome): void => reply('value' in outcome ? outcome : wireError(outcome.error));
  peer.calls.set(number, startCall({ caller: undefined, target, name, input, mayRun, finish }));
}

/** Why an exposed tool failed; what its callback threw stays with its page. */
function wireError(error: unknown): object {
  if (error instanceof Failure) return { message: error.cause === undefined ? error.message : 'The tool failed.' };
  const { name, message } = error as DOMException;
  return { name, message };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** An own property of a message. */
const field = (data: unknown, name: string): unknown =>
  isObject(data) && Object.hasOwn(data, name) ? Reflect.get(data, name) : undefined;
