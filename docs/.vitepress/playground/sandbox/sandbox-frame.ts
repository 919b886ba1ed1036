import type { FrameMessage, FrameRequest } from '../frame/messages.js';
import { limits } from '../limits.js';
import { createFrameUrl, type FramePolicy } from './frame-document.js';
import { keepFocus } from './keep-focus.js';
import { readMessage } from './read-message.js';

export interface FrameOptions extends FramePolicy {
  readonly script: string;
  readonly title: string;
  readonly onMessage: (message: FrameMessage) => void;
  /** The frame did not answer in time, and has been removed. */
  readonly onStopped: () => void;
}

/** A frame of an opaque origin that shows pasted pages. It is removed if it does not answer. */
export class SandboxFrame {
  readonly element = document.createElement('iframe');
  readonly #options: FrameOptions;
  readonly #channel = new MessageChannel();
  readonly #url: string;
  readonly #queue: FrameRequest[] = [];
  readonly #ended = new AbortController();
  #isReady = false;
  #isEnded = false;
  /** The number of messages since the last question whether the frame answers. */
  #messages = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #paint: ReturnType<typeof setTimeout> | undefined;
  #interval: ReturnType<typeof setInterval> | undefined;

  constructor(parent: HTMLElement, options: FrameOptions) {
    const { element } = this;
    this.#options = options;
    this.#url = createFrameUrl(options.script, options);
    element.title = options.title;
    element.setAttribute('sandbox', 'allow-scripts allow-forms');
    element.referrerPolicy = 'no-referrer';
    element.addEventListener('load', () => this.#connect(), { once: true });
    this.#channel.port1.addEventListener('message', ({ data }) => this.#receive(data));
    this.#channel.port1.start();
    element.src = this.#url;
    parent.replaceChildren(element);
    this.#expectAnswer();
    this.#interval = setInterval(() => this.#ask(), limits.pingMs);
    window.addEventListener('message', this.#onWindowMessage);
    if (options.runsScripts) keepFocus(element, () => this.#countMessages(limits.focusChange), this.#ended.signal);
  }

  /** Sends a request as soon as the frame is ready. */
  send(request: FrameRequest): void {
    if (this.#isEnded) return;
    if (!this.#isReady) return void (request.kind !== 'ping' && this.#queue.push(request));
    if (request.kind === 'show' || request.kind === 'ping') this.#expectAnswer();
    this.#channel.port1.postMessage(request);
  }

  remove(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#paint);
    clearInterval(this.#interval);
    window.removeEventListener('message', this.#onWindowMessage);
    this.#ended.abort();
    this.#channel.port1.close();
    this.element.remove();
    URL.revokeObjectURL(this.#url);
  }

  #ask(): void {
    this.#messages = 0;
    this.send({ kind: 'ping', id: 0 });
    this.#expectPaint();
  }

  /** Styles of the frame can prevent that this page is painted, while the scripts of both run. */
  #expectPaint(): void {
    if (this.#paint) return;
    this.#paint = setTimeout(() => {
      this.#paint = undefined;
      if (!document.hidden) this.#stop();
    }, limits.frameMs);
    requestAnimationFrame(() => {
      clearTimeout(this.#paint);
      this.#paint = undefined;
    });
  }

  /** Messages to the window are not read, but too many of them would block this page. Those of removed frames have no source. */
  readonly #onWindowMessage = ({ source }: MessageEvent): void => {
    if (source !== null && source !== window) this.#countMessages(1);
  };

  #countMessages(count: number): void {
    this.#messages += count;
    if (this.#messages > limits.messages && !this.#isEnded) this.#stop();
  }

  #connect(): void {
    this.element.contentWindow?.postMessage('connect', '*', [this.#channel.port2]);
  }

  #receive(data: unknown): void {
    const message = this.#isEnded ? undefined : readMessage(data);
    this.#countMessages(message && hasTexts(message) ? limits.messageWithTexts : 1);
    if (!message || this.#isEnded) return;
    if (message.kind === 'ready' || message.kind === 'shown' || message.kind === 'pong') this.#clearTimer();
    if (message.kind === 'ready') this.#start();
    else this.#options.onMessage(message);
  }

  #start(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    for (const request of this.#queue.splice(0)) this.send(request);
  }

  #expectAnswer(): void {
    const limit = this.#options.runsScripts ? limits.scriptMs : limits.frameMs;
    this.#timer ??= setTimeout(() => this.#onTimeout(), limit);
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The timers of hidden pages are late. */
  #onTimeout(): void {
    this.#timer = undefined;
    if (document.hidden) this.#expectAnswer();
    else this.#stop();
  }

  #stop(): void {
    this.remove();
    this.#options.onStopped();
  }
}

const hasTexts = ({ kind }: FrameMessage): boolean => ['submission', 'result', 'error'].includes(kind);
