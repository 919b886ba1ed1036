import type { RegisteredTool, ToolAnnotations } from '../../webmcp.js';
import { Failure, failure, startCall, success, type Outcome } from '../calls.js';
import { activeContexts, contextIn, domException, isActive, type Context, type Tool } from '../frames/context.js';
import { useOthers, type Connect, type ForeignCall } from './channel.js';
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
} from './handshake.js';
import { answerPolicy, askPolicy, isPeerAllowed, whenPeerAllowed } from './policy.js';
import { isAllowed, whenAllowed } from '../frames/policy.js';
import { inRealm, isClosed, ownRealm } from '../frames/realm.js';
import { SafeSet, SafeWeakMap } from '../../platform/collections.js';
import { startInterval, stopTimer } from '../../platform/tasks.js';
import { isExposed, notifyContext } from '../tools.js';
import { isObject } from '../idl/web-idl.js';

/** Lists and runs the tools of other origins that are exposed to ours, and lets them do so with ours. */
export const connect: Connect = (isServed) => {
  useOthers({
    changed,
    tools: (caller, origins) => (hasOthers() ? tools(caller, origins) : undefined),
    call,
    askPolicy,
  });
  const meeting = meetPeers({ isServed, receive, onMeet: askAgain, onWelcome: catchUp });
  return {
    ...meeting,
    end() {
      useOthers();
      meeting.end();
      told.clear();
      hasListed = false;
    },
  };
};

/** Asks for the policy of documents of ours, and of peers, whose embedding page was not there yet. */
function askAgain(): void {
  for (const peer of allPeers()) whenPeerAllowed(peer, () => undefined);
  for (const context of activeContexts()) if (isAllowed(context) === undefined) void whenAllowed(context);
}

/** The origins that have been told of changes, as far as they had been met. */
const told = new SafeSet<string>();
/** How many changes a peer has told of. */
const changes = new SafeWeakMap<Peer, number>();
let hasListed = false;

/** Between a greeting and its answer, which a busy page gives late, either side may have missed something. */
function catchUp(peer: Peer): void {
  if (peer.origin === 'null') return;
  if (told.has(peer.origin)) whenPeerAllowed(peer, (allowed) => allowed && tell(peer, { type: 'change' }));
  if (hasListed) void lookAgain(peer);
}

/** A list was given without the tools of a peer. */
async function lookAgain(peer: Peer): Promise<void> {
  const before = changes.get(peer);
  const tools = await toolsOf(peer);
  if (Array.isArray(tools) && tools.length > 0 && changes.get(peer) === before) await tellContexts();
}

function receive(peer: Peer, message: unknown): void {
  const number = field(message, 'number') as number;
  const reply = (value: unknown): void => tell(peer, { type: 'answer', number, value });
  switch (field(message, 'type')) {
    case 'policy':
      return void answerPolicy(message, reply);
    case 'tools':
      return whenPeerAllowed(peer, (allowed) => reply(allowed ? toolsFor(peer) : []));
    case 'run':
      return whenPeerAllowed(peer, (allowed) => runFor(peer, number, allowed && message));
    case 'change':
      changes.set(peer, (changes.get(peer) ?? 0) + 1);
      return isNamed(peer, [peer.origin])
        ? whenPeerAllowed(peer, (allowed) => void (allowed && tellContexts()))
        : undefined;
  }
}

/** A page may listen before it has done anything that asks for its policy. */
async function tellContexts(): Promise<void> {
  for (const context of activeContexts()) if (await whenAllowed(context)) notifyContext(context);
}

function changed(exposedTo: readonly string[]): void {
  for (const origin of [ownRealm().origin, ...exposedTo]) told.add(origin);
  for (const peer of allPeers()) {
    if (isNamed(peer, exposedTo)) whenPeerAllowed(peer, (allowed) => allowed && tell(peer, { type: 'change' }));
  }
}

/** Whether a peer may be told of tools exposed to these origins, as far as its origin goes. */
const isNamed = ({ origin }: Peer, exposedTo: readonly string[]): boolean =>
  origin !== 'null' && (origin === ownRealm().origin || exposedTo.includes(origin));

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

/** The answer of a peer that may use tools. */
const toolsOf = (peer: Peer): Promise<unknown> =>
  new Promise((resolve) => {
    whenPeerAllowed(peer, (allowed) => resolve(allowed ? answerOf(peer, { type: 'tools' }) : []));
  });

async function tools(caller: Context, origins: readonly string[]): Promise<RegisteredTool[]> {
  await allMet();
  hasListed = true;
  const asked = allPeers().filter((peer) => isNamed(peer, origins));
  const answers = asked.map((peer) => toolsOf(peer));
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
  if (peer?.origin !== origin || !isPeerAllowed(peer)) return undefined;
  const settle = (answer: unknown): void => {
    stopTimer(timer);
    finish(outcomeOf(caller, answer));
  };
  const number = question(peer, { type: 'run', name, input, path: pathOf(window) }, settle);
  const cancel = (): void => {
    stopTimer(timer);
    if (peer.questions.delete(number)) tell(peer, { type: 'cancel', number });
  };
  const timer = startInterval(250, () => {
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
  const isWrong = !target || typeof name !== 'string' || typeof input !== 'string';
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
