import { harnessKey, type MessageCase } from './message-case.js';

/** The greeting and document that the page has sent last. */
const known: Record<string, unknown> = { $greeting: 'none', $document: crypto.randomUUID() };
const ports: MessagePort[] = [];
let answers: readonly unknown[] = [];
let asked = 0;

const deep = (): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < 2000; level++) value = [value];
  return value;
};

const makers: Readonly<Record<string, () => unknown>> = {
  $sparse: () => Object.assign([], { length: 2 ** 32 - 1 }),
  $deep: deep,
  $map: () => new Map([['type', 'tools']]),
  $date: () => new Date(NaN),
  $bytes: () => new Uint8Array(1000),
  $error: () => new RangeError('x'),
  $cycle: () => {
    const value: { self?: unknown } = {};
    value.self = value;
    return value;
  },
  $undefined: () => undefined,
  $long: () => 'x'.repeat(1_000_000),
  $bigint: () => 2n ** 64n,
};

/** Replaces the placeholders of a case. */
function filled(value: unknown): unknown {
  if (typeof value === 'string') return filledText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(filled);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member)]));
}

function filledText(text: string): unknown {
  if (Object.hasOwn(known, text)) return known[text];
  return Object.hasOwn(makers, text) ? makers[text]?.() : text;
}

/** Answers every request, because the page waits five seconds for an answer. */
function use(port: MessagePort): void {
  if (ports.push(port) > 20) ports.shift();
  port.onmessage = ({ data }: MessageEvent<{ readonly number?: unknown }>) => {
    if (data.number !== undefined) port.postMessage({ type: 'answer', number: data.number, value: nextAnswer() });
  };
}

const nextAnswer = (): unknown => filled(answers[asked++ % Math.max(1, answers.length)]);

function play(steps: MessageCase['steps']): void {
  for (const { to, data, port } of steps) {
    const channel = new MessageChannel();
    if (port) use(channel.port1);
    const transfer = port ? [channel.port2] : [];
    if (to === 'window') parent.postMessage(filled(data), { targetOrigin: '*', transfer });
    else ports.at(-1)?.postMessage(filled(data), transfer);
  }
}

addEventListener('message', ({ data, ports: received }: MessageEvent<Record<string, unknown>>) => {
  const command = data[harnessKey] as MessageCase | undefined;
  if (command) {
    answers = command.answers;
    play(command.steps);
    parent.postMessage({ [harnessKey]: 'done' }, '*');
    return;
  }
  if (typeof data.greeting === 'string') known.$greeting = data.greeting;
  for (const port of received) use(port);
});
