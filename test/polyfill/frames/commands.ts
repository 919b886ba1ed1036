/** A classic script for the pages of the tests: runs commands of other windows (see `ask` in frame.ts). */

interface Handle {
  readonly name: string;
  readonly origin: string;
  /** Steps from this window, separated by dots: `parent`, `top`, or the index of a child frame. */
  readonly path: string;
}

interface Question {
  readonly ask: keyof typeof commands;
  readonly args: readonly unknown[];
}

let log: string[] = [];
let foreignMessages = 0;
const greetings: unknown[] = [];
const requests: unknown[] = [];
const handles = new Map<string, Parameters<ModelContext['executeTool']>[0]>();
const registrations = new Map<string, AbortController>();
const calls = new Map<string, AbortController>();
const waiting = new Map<string, () => void>();

type ModelContext = Document['modelContext'];

const windowAt = (path: string): Window =>
  path
    .split('.')
    .reduce<Window>((from, step) => (step === 'parent' || step === 'top' ? from[step]! : from[Number(step)]!), window);

interface Pose {
  readonly greeting?: unknown;
  readonly identity?: string;
  readonly tools?: readonly object[] | 'sparse';
  readonly outcome?: object;
  readonly copies?: number;
  /** Whether requests are never answered. */
  readonly silent?: boolean;
  /** Whether its own greeting arrives first. The page above opens a channel for it, too. */
  readonly greets?: boolean;
}

/** A structured clone keeps the length. WebKit copies each item, so that four billion would block the sender itself. */
const isWebKit = /AppleWebKit(?!.*Chrome)/.test(navigator.userAgent);
const sparse = Object.assign([], { length: isWebKit ? 2 ** 20 : 2 ** 32 - 1 });

let posed: MessagePort | undefined;

/** Replaces members like `{ repeat: 'a', times: 9 }` by long texts, and a tool with `count` by that many tools. */
function repeatTexts(value: object | undefined): readonly object[] {
  const { count = 1, ...members } = (value ?? {}) as { readonly count?: number };
  const entries = Object.entries(members).map(([name, each]: [string, unknown]) => {
    const { repeat, times } = (each ?? {}) as { readonly repeat?: unknown; readonly times?: number };
    return [name, typeof repeat === 'string' ? repeat.repeat(times ?? 0) : each] as const;
  });
  return Array.from({ length: count }, (_, index) => {
    const tool = Object.fromEntries(entries) as { readonly name?: unknown };
    return count === 1 ? tool : { ...tool, name: `${String(tool.name)}${index}` };
  });
}

const commands = {
  /** Registers a tool that returns its input, immediately or after the command `finish`. */
  async register(name: string, exposedTo?: readonly string[], waits = false) {
    const controller = new AbortController();
    const { signal } = controller;
    await document.modelContext.registerTool(
      {
        name,
        description: name,
        execute: (input: unknown, options) => {
          log.push(`${name} runs`);
          options.signal.addEventListener('abort', () => {
            log.push(`${name} aborts: ${(options.signal.reason as Error).name}`);
          });
          return waits ? new Promise((resolve) => waiting.set(name, () => resolve(input))) : input;
        },
      },
      exposedTo ? { signal, exposedTo } : { signal },
    );
    registrations.set(name, controller);
  },

  unregister(name: string) {
    registrations.get(name)!.abort();
  },

  finish(name: string) {
    waiting.get(name)!();
  },

  /** Lists tools, each as `NAME ORIGIN`, and stores them for `execute`. */
  async list(fromOrigins?: readonly string[]) {
    const tools = await document.modelContext.getTools(fromOrigins && { fromOrigins });
    for (const tool of tools) handles.set(tool.name, tool);
    return tools.map(({ name, origin }) => `${name} ${origin}`);
  },

  /** Runs a listed tool, or a tool that the test describes. */
  execute(tool: string | Handle, input: object = {}) {
    const controller = new AbortController();
    const name = typeof tool === 'string' ? tool : tool.name;
    calls.set(name, controller);
    const handle =
      typeof tool === 'string'
        ? handles.get(tool)!
        : { name, description: '', origin: tool.origin, window: windowAt(tool.path) };
    return document.modelContext.executeTool(handle, input, { signal: controller.signal });
  },

  /** Whether the call of a listed tool rejects within a microtask. */
  async rejectsAtOnce(name: string) {
    let isRejected = false;
    document.modelContext.executeTool(handles.get(name)!).catch(() => (isRejected = true));
    await Promise.resolve();
    return isRejected;
  },

  abort(name: string, reason?: string) {
    calls.get(name)!.abort(reason);
  },

  /** Blocks the thread, as the start of a large application does. */
  block(milliseconds: number) {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  },

  /** The log of the model context's events and of the tools. */
  log: () => log,

  clearLog() {
    log = [];
  },

  /** The number of messages that are not commands. */
  foreignMessages: () => foreignMessages,

  /**
   * Forges the protocol of cross-origin/protocol.ts: repeats greetings, requests and calls tools, answers requests that do
   * not exist, and sends invalid messages. Waits for results if some are expected. Returns the received tool names and
   * results.
   */
  async forge(paths: readonly string[], isAnswered: boolean) {
    const names = new Set<unknown>();
    const results = new Set<unknown>();
    const sent = new Set<unknown>();
    const places = [[], [0], [1], ['0'], [9], [-1], 'top', null, [[0]], { length: 1, 0: 0 }];
    const speak = (port: MessagePort) => {
      let number = 0;
      const sendNumbered = (message: object) => port.postMessage({ number: ++number, ...message });
      port.onmessage = ({ data }: MessageEvent<{ value?: unknown } | undefined>) => {
        const value = data?.value as { value?: unknown } | readonly { name: unknown }[] | undefined;
        if (Array.isArray(value)) for (const tool of value as readonly { name: unknown }[]) names.add(tool.name);
        else if (value && 'value' in value) results.add(value.value);
      };
      const forged = { name: 'forged', path: [0], description: 'd', title: '', inputSchema: '' };
      for (let asked = 0; asked < 50; asked++) {
        port.postMessage({ type: 'answer', number: asked, value: [forged] });
        port.postMessage({ type: 'cancel', number: asked });
      }
      for (const path of places) {
        for (const type of ['tools', 'policy', 'change', 'constructor', '__proto__']) sendNumbered({ type, path });
        for (const name of ['hidden', 'mine', 'open', 'toString', null])
          sendNumbered({ type: 'run', name, path, input: '{}' });
      }
      for (const nonsense of [null, 1, 'tools', [], { type: 'answer' }, { type: 'run' }]) port.postMessage(nonsense);
    };
    const send = (message: object) => {
      if (sent.has(JSON.stringify(message))) return;
      sent.add(JSON.stringify(message));
      for (const path of paths) {
        const { port1, port2 } = new MessageChannel();
        windowAt(path).postMessage(message, '*', [port2]);
        speak(port1);
      }
    };
    const onMessage = (event: MessageEvent<object | undefined>) => {
      const isGreeting = event.data && 'webmcp-forms' in event.data;
      if (isGreeting) send(event.data);
      if (isGreeting && event.ports[0]) speak(event.ports[0]);
    };
    addEventListener('message', onMessage);
    for (const kind of ['hello', 'port', 'bye', 1, null])
      send({ 'webmcp-forms': kind, greeting: 'forged', document: 'forged' });
    const wait = () => new Promise((go) => setTimeout(go, 10));
    while (isAnswered && (names.size === 0 || results.size === 0)) await wait();
    for (let waits = 0; waits < 10; waits++) await wait();
    removeEventListener('message', onMessage);
    return { names: [...names], results: [...results] };
  },

  /** The greetings that this page has received. */
  greetings: () => greetings,

  /** The requests that the page above has sent to `pose`. */
  requests: () => requests,

  /** Connects to the page above as a copy of the script that exposes tools and answers calls with a value. */
  pose({ greeting = 'posed', identity = 'posed', tools = [], outcome, copies = 1, silent = false, greets }: Pose) {
    const answerAt = (port: MessagePort) => {
      port.onmessage = ({ data }: MessageEvent<{ type: string; number: number }>) => {
        requests.push(data.type);
        const list = Array.isArray(tools) ? tools.flatMap(repeatTexts) : sparse;
        const value = data.type === 'tools' ? list : repeatTexts(outcome)[0];
        if (!silent && /tools|run/.test(data.type)) port.postMessage({ type: 'answer', number: data.number, value });
      };
    };
    addEventListener('message', ({ data, ports: [port] }: MessageEvent<object | undefined>) => {
      if (port && data && 'webmcp-forms' in data) answerAt(port);
    });
    if (greets) parent.postMessage({ 'webmcp-forms': 'hello', greeting: 'own', document: identity }, '*');
    for (let copy = 0; copy < copies; copy++) {
      const { port1, port2 } = new MessageChannel();
      answerAt(port1);
      const welcome = { 'webmcp-forms': 'welcome', greeting, document: identity };
      parent.postMessage(welcome, '*', [port2]);
      posed = port1;
    }
  },

  /** Sends messages through the last port of `pose`, each many times. */
  send(messages: readonly object[], times: number) {
    for (let time = 0; time < times; time++) for (const message of messages) posed?.postMessage(message);
  },

  /** Sends messages with a path of four billion items. */
  sendSparse(types: readonly string[]) {
    for (const type of types)
      posed?.postMessage({ type, number: 1, name: 't', input: '{}', origin: 'x', path: sparse });
  },

  /** Opens a frame in this page. */
  open(attributes: object) {
    const frame = document.createElement('iframe');
    for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, String(value));
    return new Promise<void>((resolve) => {
      frame.addEventListener('load', () => resolve(), { once: true });
      document.body.append(frame);
    });
  },

  navigate(url: string) {
    location.href = url;
  },
};

export type Commands = typeof commands;

if ('modelContext' in document) {
  for (const type of ['toolchange', 'toolactivated', 'toolcancel']) {
    document.modelContext.addEventListener(type, (event) => {
      const { toolName } = event as Event & { toolName?: string };
      log.push(toolName === undefined ? type : `${type} ${toolName}`);
    });
  }
}

addEventListener('message', ({ data }: MessageEvent<{ greeting?: unknown } | undefined>) => {
  if (data?.greeting !== undefined) greetings.push(data.greeting);
});

addEventListener('message', (event: MessageEvent<Question | undefined>) => {
  const [port] = event.ports;
  const { data: question } = event;
  if (!port || !question?.ask) {
    foreignMessages++;
    return;
  }
  const command = (commands as Record<string, unknown>)[question.ask] as (...args: readonly unknown[]) => unknown;
  new Promise((resolve) => resolve(command(...question.args))).then(
    (value) => port.postMessage({ value }),
    (error: unknown) => {
      const { name = String(error), message = '' } = (error ?? {}) as Partial<Error>;
      port.postMessage({ error: { name, message } });
    },
  );
});
