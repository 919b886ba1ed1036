import { SafeMap, SafeSet, SafeWeakMap } from '../../../platform/collections.js';
import { listenFirst } from '../../../platform/signals.js';
import { MessageChannel, queueTask } from '../../../platform/tasks.js';
import { startTimeout, stopTimer, type Timer } from '../../../platform/timers.js';
import { isClosed, visitFrames } from '../../frames/realm.js';
import type { PolyfillState } from '../../state.js';
import { Peer, type Sender } from './channel.js';
import { limits, timeouts } from './limits.js';
import { field, isWindowOf, messageKey, post } from '../../frames/messages.js';
import type { Agent } from '../agent.js';
import { pathOf, windowAt } from './protocol.js';

interface Awaited {
  readonly replied: Promise<void>;
  readonly finish: () => void;
  /** Whether the copy in the window is loading its agent script before it replies. */
  isLoading: boolean;
}

/** Finds the other copies of this script in the frame tree. protocol.ts describes the messages. */
export abstract class Handshake {
  readonly agent: Agent;
  readonly state: PolyfillState;
  readonly #isServed: (window: Window) => boolean;
  readonly #document = crypto.randomUUID();
  readonly #peers = new SafeMap<Window, Peer>();
  /** The copy that serves a window, according to its `welcome`. */
  readonly #servers = new SafeWeakMap<Window, Pick<Peer, 'window' | 'document'>>();
  /** The windows that may still reply, by greeting. */
  readonly #greetings = new SafeMap<string, Window>();
  readonly #controller = new AbortController();
  readonly #timers = new SafeSet<Timer>();
  readonly #reported = new SafeSet<string>();
  /** The windows whose replies are awaited before tools are listed. */
  readonly #awaited = new SafeMap<Window, Awaited>();

  /** @param isServed - whether this copy serves a window */
  constructor(agent: Agent, isServed: (window: Window) => boolean) {
    const { window } = agent.polyfill.realm;
    const { signal } = this.#controller;
    this.agent = agent;
    this.state = agent.polyfill;
    this.#isServed = isServed;
    const onShow = (event: Event): void => {
      if ((event as PageTransitionEvent).persisted) this.#greetAll();
    };
    listenFirst(window, 'pagehide', () => this.#leaveAll(), signal);
    listenFirst(window, 'pageshow', onShow, signal);
    this.#greetAll();
  }

  protected abstract onPeersChanged(): void;
  /** Called when a `welcome` has opened a channel. `isNew` is false if the peer existed before. */
  protected abstract onWelcome(peer: Peer, isNew: boolean): void;
  protected abstract onMessage(peer: Peer, message: unknown): void;

  /** The windows that may still reply. */
  protected get greeted(): Iterable<Window> {
    return this.#greetings.values();
  }

  get peers(): readonly Peer[] {
    return [...this.#peers.values()];
  }

  /** Whether there is a peer, or a window that may still reply. */
  get hasPeers(): boolean {
    return this.#peers.size + this.#greetings.size > 0;
  }

  /** Resolves when the windows in `#awaited` have replied, or after a timeout. */
  async welcomed(): Promise<void> {
    for (const window of [...this.#awaited.keys()]) {
      await this.#awaited.get(window)?.replied;
      // If the window loads a new document, the first wait ends and a second one starts.
      await this.#awaited.get(window)?.replied;
    }
  }

  peerServing(window: Window): Peer | undefined {
    const server = this.#servers.get(window);
    const peer = server && this.#peers.get(server.window);
    return peer?.document === server?.document ? peer : undefined;
  }

  /** Announces to the other copies that this copy serves a window. */
  serve(window: Window): void {
    for (const peer of this.peers) peer.send({ type: 'greet', path: pathOf(window) });
  }

  /** Sends `hello` to a frame that has loaded, and removes its peer if it does not reply. */
  verify(window: Window): void {
    if (this.#isServed(window)) return;
    const peer = this.#peers.get(window);
    const server = this.#servers.get(window);
    this.#forgetGreetings(window);
    this.#sendHello(window);
    this.#awaitReply(window);
    if (!peer) return;
    this.startTimeout(timeouts.response, () => {
      if (this.#servers.get(window) === server) this.remove(peer);
    });
  }

  remove(peer: Peer): void {
    if (this.#peers.get(peer.window) === peer) this.#peers.delete(peer.window);
    peer.close();
  }

  end(): void {
    this.#leaveAll();
    this.#greetings.clear();
    for (const timer of this.#timers) stopTimer(timer);
    for (const { finish } of [...this.#awaited.values()]) finish();
    this.#controller.abort();
  }

  #leaveAll(): void {
    for (const peer of this.peers) {
      peer.send({ type: 'bye' });
      this.remove(peer);
    }
  }

  /** Reports the first page that reaches a limit. */
  protected report(origin: string, limit: string): void {
    if (this.#reported.has(limit)) return;
    this.#reported.add(limit);
    console.warn(`Tools of ${origin} are not available: ${limit}.`);
  }

  protected startTimeout(milliseconds: number, steps: () => void): void {
    const timer = startTimeout(milliseconds, () => {
      this.#timers.delete(timer);
      steps();
    });
    this.#timers.add(timer);
  }

  #greetAll(): void {
    this.#greetings.clear();
    visitFrames(this.state.realm.window.top as Window, (window) => this.#greet(window));
    for (const window of [...this.#greetings.values()]) this.#awaitReply(window);
  }

  #awaitReply(window: Window): void {
    const finish = (): void => {
      if (this.#awaited.get(window) === awaited) this.#awaited.delete(window);
      resolve();
    };
    let resolve!: () => void;
    const awaited: Awaited = { replied: new Promise<void>((settle) => (resolve = settle)), finish, isLoading: false };
    this.#awaited.get(window)?.finish();
    this.#awaited.set(window, awaited);
    this.startTimeout(timeouts.welcome, () =>
      awaited.isLoading ? this.startTimeout(timeouts.response, finish) : finish(),
    );
  }

  #greet(window: Window): void {
    if (!this.#isServed(window) && !this.peerServing(window)) this.#sendHello(window);
  }

  #sendHello(window: Window): void {
    const sent = [...this.#greetings].find(([, each]) => each === window)?.[0]; // its reply may be pending
    const greeting = sent ?? crypto.randomUUID();
    if (!sent) {
      this.#greetings.set(greeting, window);
      this.startTimeout(timeouts.response, () => this.#greetings.delete(greeting));
    }
    post(window, { [messageKey]: 'hello', greeting, document: this.#document }, { targetOrigin: '*' });
  }

  #forgetGreetings(window: Window): void {
    for (const [greeting, each] of this.#greetings) if (each === window) this.#greetings.delete(greeting);
  }

  /** Receives a message to a window that this copy serves. */
  receive({ data, origin, ports, source }: MessageEvent<unknown>): void {
    const [kind, greeting, document] = [field(data, messageKey), field(data, 'greeting'), field(data, 'document')];
    if (!isWindowOf(this.state, source)) return;
    if (kind === 'here') return this.#receiveHere(source);
    if (!isIdentifier(greeting)) return;
    if (kind === 'wait') return this.#receiveWait(greeting);
    if (!isIdentifier(document)) return;
    const sender = { window: source, origin, document };
    if (kind === 'hello') this.#receiveHello(sender, greeting);
    else this.#receiveWelcome(sender, greeting, ports[0]);
  }

  /** Verifies the sender in a task, unless its own `hello` arrives first. */
  #receiveHere(window: Window): void {
    const peer = this.#peers.get(window);
    queueTask(() => {
      if (this.#peers.get(window) === peer) this.verify(window);
    });
  }

  /** Whether another copy is loading its agent script before it replies to a greeting of this copy. */
  get isWaiting(): boolean {
    return [...this.#awaited.values()].some(({ isLoading }) => isLoading);
  }

  #receiveWait(greeting: string): void {
    const window = this.#greetings.get(greeting);
    const awaited = window && this.#awaited.get(window);
    if (awaited) awaited.isLoading = true;
  }

  #receiveHello(sender: Sender, greeting: string): void {
    const { window, origin, document } = sender;
    const transfer: MessagePort[] = [];
    if (this.#peers.get(window)?.document !== document) {
      const { port1, port2 } = new MessageChannel();
      transfer.push(port2);
      this.#addPort(sender, port1);
    }
    this.#awaited.get(window)?.finish(); // a document that is newer than the awaited greeting never answers that greeting
    const targetOrigin = origin === 'null' ? '*' : origin;
    post(window, { [messageKey]: 'welcome', greeting, document: this.#document }, { targetOrigin, transfer });
  }

  #receiveWelcome(sender: Sender, greeting: string, port: MessagePort | undefined): void {
    const { window, document } = sender;
    const known = this.#peers.get(window);
    const served = this.#greetings.get(greeting);
    this.#greetings.delete(greeting);
    if (port) this.#addPort(sender, port);
    if (served) {
      this.#servers.set(served, { window, document });
      this.#awaited.get(served)?.finish();
    }
    this.onPeersChanged();
    const peer = this.#peers.get(window);
    if (peer && port) this.onWelcome(peer, peer !== known);
  }

  /** Adds a port to the sender's peer. Replaces the peer of the window's previous document. */
  #addPort(sender: Sender, port: MessagePort): void {
    const { window, origin, document } = sender;
    let peer = this.#peers.get(window);
    if (peer?.document !== document || peer.origin !== origin) {
      if (peer) {
        this.remove(peer);
        this.#forgetGreetings(window);
      }
      if (this.#isFull(origin)) return port.close();
      peer = new Peer(sender);
    }
    const { ports } = peer;
    if (ports.push(port) > limits.ports) ports.shift()?.close();
    this.#peers.set(window, peer);
    this.#servers.set(window, { window, document });
    port.onmessage = ({ data }: MessageEvent<unknown>) => this.#receiveFromPort(peer, data);
    this.onPeersChanged();
  }

  #isFull(origin: string): boolean {
    for (const peer of this.peers) if (isClosed(peer.window)) this.remove(peer);
    if (this.#peers.size < limits.peers) return false;
    this.report(origin, `this page is connected to ${limits.peers} other pages. Remove frames`);
    return true;
  }

  #receiveFromPort(peer: Peer, data: unknown): void {
    // A port may outlive its document.
    if (this.#peers.get(peer.window) !== peer || isClosed(peer.window)) return this.remove(peer);
    const number = field(data, 'number') as number;
    switch (field(data, 'type')) {
      case 'answer':
        return peer.receiveAnswer(number, field(data, 'value'));
      case 'cancel':
        return peer.receiveCancel(number);
      case 'greet': {
        const window = windowAt(data);
        return window && this.#greet(window);
      }
      case 'bye':
        return this.remove(peer);
      default:
        return this.onMessage(peer, data);
    }
  }
}

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= limits.identifier;
