import { SafeSet, SafeWeakMap } from '../../../platform/collections.js';
import { queueTask } from '../../../platform/tasks.js';
import { startInterval, stopTimer } from '../../../platform/timers.js';
import { visibleText } from '../../../visible-text.js';
import type { RegisteredTool } from '../../../webmcp.js';
import { activeContexts, contextIn, domException, isActive } from '../../frames/context.js';
import { field } from '../../frames/messages.js';
import { isAllowed } from '../../frames/policy.js';
import { isClosed, parentOf } from '../../frames/realm.js';
import type { Context, Tool } from '../../state.js';
import { notifyContext } from '../../tools.js';
import { isExposed, startCall } from '../calls.js';
import type { ToolReference } from '../dictionaries.js';
import { failure, Failure, success, type Outcome } from '../outcome.js';
import { requestPolicy } from '../permission.js';
import type { Peer } from './channel.js';
import { Handshake } from './handshake.js';
import { listedTools } from './listed-tools.js';
import { answerPolicy, isPeerAllowed, withPeerPolicy } from './policy.js';
import { pathOf, textField, windowAt, type WireOutcome, type WireTool } from './protocol.js';
import { changeIntervalMs, limits } from './limits.js';

const callWatchIntervalMs = 250;

/** Lists and calls the tools that peers expose to this origin, and answers their requests. */
export class Connection extends Handshake {
  /** The origins that were notified of a change. Peers of these origins may have connected later. */
  readonly #notified = new SafeSet<string>();
  /** The windows that had been sent `hello`, but had not replied with `welcome`, when a tool changed. */
  readonly #missed = new SafeWeakMap<Window, true>();
  #hasListed = false;

  /** Requests the policy for a window from the page that embeds it. */
  requestPolicy(window: Window, onResult: (allowed: boolean) => void): void {
    const { origin } = this.state.realm;
    const embedder = this.peerServing(parentOf(window));
    embedder?.request({ type: 'policy', path: pathOf(window), origin }, (allowed) => {
      if (typeof allowed === 'boolean') onResult(allowed);
    });
  }

  /** Notifies the origins that can see a tool with this `exposedTo`. */
  notify(exposedTo: readonly string[]): void {
    for (const origin of [this.state.realm.origin, ...exposedTo]) this.#notified.add(origin);
    for (const window of this.greeted) this.#missed.set(window, true);
    for (const peer of this.peers) if (this.#matches(peer, exposedTo)) this.#sendChange(peer);
  }

  /** The tools of the given origins; undefined if no other copy is known. */
  listTools(caller: Context, origins: readonly string[]): Promise<RegisteredTool[]> | undefined {
    return this.hasPeers ? this.#listTools(caller, origins) : undefined;
  }

  /** Starts a call and returns a function that cancels it; undefined if no allowed copy of the origin serves the window. */
  startCall(
    caller: Context,
    { window, name, origin }: ToolReference,
    input: string,
    finish: (outcome: Outcome) => void,
  ): (() => void) | undefined {
    const peer = this.peerServing(window);
    if (peer?.origin !== origin || !isPeerAllowed(this, peer)) return undefined;
    const number = peer.request({ type: 'run', name, input, path: pathOf(window) }, (answer) => {
      stopTimer(timer);
      finish(outcomeOf(caller, answer));
    });
    const cancel = (): void => {
      stopTimer(timer);
      peer.cancelRequest(number);
    };
    const timer = startInterval(callWatchIntervalMs, () => {
      if (!isActive(caller)) cancel();
      else if (isClosed(peer.window)) this.remove(peer);
    });
    return cancel;
  }

  /** Whether a peer has this origin or one of the given origins. */
  #matches({ origin }: Peer, origins: readonly string[]): boolean {
    return origin !== 'null' && (origin === this.state.realm.origin || origins.includes(origin));
  }

  #sendChange(peer: Peer): void {
    this.#missed.delete(peer.window);
    withPeerPolicy(this, peer, (allowed) => allowed && peer.send({ type: 'change' }));
  }

  /** Requests unknown policies: the new peer may be the embedding page that knows them. */
  protected onPeersChanged(): void {
    for (const peer of this.peers) withPeerPolicy(this, peer, () => undefined);
    for (const context of activeContexts(this.state)) void requestPolicy(this.agent, context.document);
  }

  /** Either side may have missed a change between `hello` and `welcome`, because busy pages reply late. */
  protected onWelcome(peer: Peer, isNew: boolean): void {
    if (peer.origin === 'null') return;
    if (this.#notified.has(peer.origin) && (isNew || this.#missed.has(peer.window))) this.#sendChange(peer);
    if (this.#hasListed && isNew) void this.#notifyIfNotEmpty(peer);
  }

  /** Dispatches toolchange if a peer that was missing in an earlier list has tools. */
  async #notifyIfNotEmpty(peer: Peer): Promise<void> {
    const { changeCount } = peer;
    const tools = await this.#requestTools(peer);
    if (Array.isArray(tools) && tools.length > 0 && peer.changeCount === changeCount) await this.#notifyContexts();
  }

  async #notifyContexts(): Promise<void> {
    for (const context of activeContexts(this.state)) {
      if (await requestPolicy(this.agent, context.document)) notifyContext(context);
    }
  }

  protected onMessage(peer: Peer, message: unknown): void {
    const number = field(message, 'number') as number;
    const reply = (value: unknown): void => peer.send({ type: 'answer', number, value });
    const withPolicy = (steps: (allowed: boolean) => void): void => withPeerPolicy(this, peer, steps);
    switch (field(message, 'type')) {
      case 'policy':
        return void answerPolicy(this.agent, message, reply);
      case 'tools':
        return withPolicy((allowed) => (allowed ? void this.#replyTools(peer, reply) : reply([])));
      case 'run':
        return withPolicy((allowed) => this.#run(peer, number, allowed && message));
      case 'change':
        peer.changeCount++;
        if (this.#matches(peer, [peer.origin])) this.#announceChange(peer);
    }
  }

  /** Throttled, so that a page whose tools change constantly does not make this page list them constantly. */
  #announceChange(peer: Peer): void {
    if (peer.isChangePending) return;
    const announce = (): void => {
      peer.isChangePending = false;
      peer.changedAt = performance.now();
      withPeerPolicy(this, peer, (allowed) => void (allowed && this.#notifyContexts()));
    };
    const delay = peer.changedAt + changeIntervalMs - performance.now();
    if (delay <= 0) return announce();
    peer.isChangePending = true;
    this.startTimeout(delay, announce);
  }

  /** Waits until the policy of this page is known: only then does a page that is still loading register its tools. */
  async #replyTools(peer: Peer, reply: (tools: readonly WireTool[]) => void): Promise<void> {
    for (const { document } of activeContexts(this.state)) await requestPolicy(this.agent, document);
    queueTask(() => reply(this.#toolsFor(peer)));
  }

  #toolsFor(peer: Peer): readonly WireTool[] {
    const owners = activeContexts(this.state).filter(({ document }) => isAllowed(this.state, document));
    return owners.flatMap((owner) =>
      [...owner.tools.values()]
        .filter((tool) => isExposed(tool, owner.realm.origin, peer.origin))
        .map(({ name, title, description, inputSchema, annotations }) => {
          const path = pathOf(owner.realm.window);
          return { name, title, description, inputSchema, annotations, path };
        }),
    );
  }

  #run(peer: Peer, number: number, message: unknown): void {
    const window = windowAt(message);
    const target = window && contextIn(this.state, window);
    const [name, input] = [field(message, 'name'), field(message, 'input')];
    if (!Number.isSafeInteger(number) || peer.calls.has(number)) return;
    const reply = (value: WireOutcome): void => {
      peer.calls.delete(number);
      peer.send({ type: 'answer', number, value });
    };
    const isInvalid = !target || typeof name !== 'string' || typeof input !== 'string';
    if (isInvalid || !isAllowed(this.state, target.document)) {
      return reply({ message: 'The tool is not available to this page.' });
    }
    if (peer.calls.size >= limits.calls) {
      return reply({ message: `${limits.calls} calls of this page are running. Wait until one of them has ended.` });
    }
    if (input.length > limits.data) {
      return reply({ message: `The input has more than ${limits.data} characters. Shorten it.` });
    }
    const mayRun = (tool: Tool): boolean => isExposed(tool, target.realm.origin, peer.origin);
    const finish = (outcome: Outcome): void =>
      reply(outcome.failed ? wireError(outcome.error) : { value: outcome.value });
    peer.calls.set(number, startCall(this.agent, { caller: undefined, target, name, input, mayRun, finish }));
  }

  async #listTools(caller: Context, origins: readonly string[]): Promise<RegisteredTool[]> {
    await this.welcomed();
    this.#hasListed = true;
    const peers = this.peers.filter((peer) => this.#matches(peer, origins));
    const answers = peers.map((peer) => this.#requestTools(peer));
    const tools: RegisteredTool[] = [];
    for (const [index, peer] of peers.entries()) {
      const serves = (window: Window): boolean => this.peerServing(window) === peer;
      const report = (limit: string): void => this.report(peer.origin, limit);
      for (const tool of listedTools(caller, peer.origin, await answers[index], { serves, report })) tools.push(tool);
    }
    return tools;
  }

  #requestTools(peer: Peer): Promise<unknown> {
    return new Promise((resolve) => {
      withPeerPolicy(this, peer, (allowed) => resolve(allowed ? peer.requestWithTimeout({ type: 'tools' }) : []));
    });
  }
}

function outcomeOf(caller: Context, answer: unknown): Outcome {
  const value = field(answer, 'value');
  if (value === null) return success(null);
  if (typeof value === 'string' && value.length <= limits.data) return success(visibleText(value));
  const message = typeof value === 'string' ? tooLong : messageOf(answer);
  const name = field(answer, 'name');
  return failure(
    typeof name === 'string' && name.length <= limits.identifier
      ? domException(caller, name, message)
      : new Failure(message),
  );
}

const tooLong = `The result of the tool has more than ${limits.data} characters.`;

const messageOf = (answer: unknown): string =>
  visibleText(textField(answer, 'message').slice(0, limits.message)) || 'The document of the tool was unloaded.';

/** Errors of a tool's callback are not revealed to other origins. */
function wireError(error: unknown): WireOutcome {
  if (error instanceof DOMException) return { name: error.name, message: error.message };
  const isSafe = error instanceof Failure && error.cause === undefined;
  return { message: isSafe ? error.message : 'The tool failed.' };
}
