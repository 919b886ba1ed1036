import { method } from '../platform.js';
import type { RegisteredTool, ToolAnnotations } from '../webmcp.js';
import { Failure, failure, startCall, success, type Outcome } from './calls.js';
import { activeContexts, contextIn, domException, isActive, type Context, type Tool } from './context.js';
import { useOthers, type Connect, type ForeignCall } from './others.js';
import {
  allMet,
  allPeers,
  answerOf,
  field,
  hasOthers,
  leave,
  meetPeers,
  pathOf,
  peerServing,
  question,
  tell,
  windowAt,
  type Peer,
} from './peers.js';
import { allows, isAllowed, whenAllowed } from './policy.js';
import { documentOf, inRealm, isClosed, ownRealm, parentOf } from './realm.js';
import { every, stopTimer } from './tasks.js';
import { isExposed, notifyContext } from './tools.js';
import { isObject } from './web-idl.js';

/** Lists and runs the tools of other origins that are exposed to ours, and lets them do so with ours. */
export const connect: Connect = (isServed) => {
  useOthers({
    changed,
    tools: (caller, origins) => (hasOthers() ? tools(caller, origins) : undefined),
    call,
    askPolicy,
  });
  const meeting = meetPeers({ isServed, receive, onMeet: askAgain });
  return {
    ...meeting,
    end() {
      useOthers();
      meeting.end();
    },
  };
};

/** Documents of ours whose embedding page was not there yet. */
function askAgain(): void {
  for (const context of activeContexts()) if (isAllowed(context) === undefined) void whenAllowed(context);
}

function receive(peer: Peer, message: unknown): void {
  const number = field(message, 'number') as number;
  const reply = (value: unknown): void => tell(peer, { type: 'answer', number, value });
  switch (field(message, 'type')) {
    case 'policy':
      return void policyFor(peer, field(message, 'path'), reply);
    case 'tools':
      return reply(seesTools(peer, [peer.origin]) ? toolsFor(peer) : []);
    case 'run':
      return runFor(peer, number, message);
    case 'change':
      return void (seesTools(peer, [peer.origin]) && tellContexts());
  }
}

/** A page may listen before it has done anything that asks for its policy. */
async function tellContexts(): Promise<void> {
  for (const context of activeContexts()) if (await whenAllowed(context)) notifyContext(context);
}

function changed(exposedTo: readonly string[]): void {
  for (const peer of allPeers()) if (seesTools(peer, exposedTo)) tell(peer, { type: 'change' });
}

/** Whether a peer is told of tools exposed to these origins. */
const seesTools = (peer: Peer, exposedTo: readonly string[]): boolean =>
  peer.origin !== 'null' &&
  (peer.origin === ownRealm().origin || exposedTo.includes(peer.origin)) &&
  isAllowedPeer(peer);

/**
 * Whether we, as the page that embeds a peer, allow it the tools; the frame in ours counts that it is in, however deep. A
 * peer that is in no frame of ours is above or beside us, and is judged by who embeds it.
 */
function isAllowedPeer({ window }: Peer): boolean {
  if (isClosed(window)) return false;
  let outer = window;
  while (!documentOf(parentOf(outer)) && parentOf(outer) !== outer) outer = parentOf(outer);
  const origin = peerServing(outer)?.origin ?? 'unknown';
  return parentOf(outer) === outer || framePolicy(outer, origin);
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
function askPolicy(window: Window, answer: (allowed: boolean) => void): void {
  const peer = peerServing(parentOf(window));
  if (!peer) return;
  question(peer, { type: 'policy', path: pathOf(window) }, (allowed) => {
    if (typeof allowed === 'boolean') answer(allowed);
  });
}

async function policyFor(peer: Peer, path: unknown, reply: (allowed: boolean | undefined) => void): Promise<void> {
  const window = windowAt(path);
  const document = window && documentOf(parentOf(window));
  const own = document ? await whenAllowed({ document }) : undefined;
  reply(own && window && framePolicy(window, peer.origin));
}

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

async function tools(caller: Context, origins: readonly string[]): Promise<RegisteredTool[]> {
  await allMet();
  const asked = allPeers().filter((peer) => origins.includes(peer.origin) && seesTools(peer, [peer.origin]));
  const answers = asked.map((peer) => answerOf(peer, { type: 'tools' }));
  const found: RegisteredTool[] = [];
  for (const [index, peer] of asked.entries()) {
    const list = await answers[index];
    if (Array.isArray(list)) found.push(...list.flatMap((wire) => received(caller, peer, wire)));
  }
  return found;
}

/** A tool that a page sent, if it is one. */
function received({ realm }: Context, peer: Peer, wire: unknown): readonly RegisteredTool[] {
  const window = windowAt(field(wire, 'path'));
  const text = (name: string): string => textOf(field(wire, name));
  if (!window || peerServing(window) !== peer || typeof field(wire, 'name') !== 'string') return [];
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

function call(
  caller: Context,
  { window, name, origin, input }: ForeignCall,
  finish: (outcome: Outcome) => void,
): (() => void) | undefined {
  const peer = peerServing(window);
  if (peer?.origin !== origin || !isAllowedPeer(peer)) return undefined;
  const settle = (answer: unknown): void => {
    stopTimer(timer);
    finish(outcomeOf(caller, answer));
  };
  const number = question(peer, { type: 'run', name, input, path: pathOf(window) }, settle);
  const cancel = (): void => {
    stopTimer(timer);
    if (peer.questions.delete(number)) tell(peer, { type: 'cancel', number });
  };
  const timer = every(250, () => {
    if (!isActive(caller)) cancel();
    else if (isClosed(peer.window)) leave(peer);
  });
  return cancel;
}

function outcomeOf(caller: Context, answer: unknown): Outcome {
  const value = field(answer, 'value');
  if (typeof value === 'string' || value === null) return success(value);
  const message = textOf(field(answer, 'message')) || 'The document of the tool went away.';
  const name = field(answer, 'name');
  return failure(typeof name === 'string' ? domException(caller, name, message) : new Failure(message));
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
  const finish = (outcome: Outcome): void =>
    reply(outcome.failed ? wireError(outcome.error) : { value: outcome.value });
  peer.calls.set(number, startCall({ caller: undefined, target, name, input, mayRun, finish }));
}

/** Why an exposed tool failed; what its callback threw stays with its page. */
function wireError(error: unknown): object {
  if (error instanceof Failure) return { message: error.cause === undefined ? error.message : 'The tool failed.' };
  if (!(error instanceof DOMException)) return { message: 'The tool failed.' };
  return { name: error.name, message: error.message };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
