import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../random.mjs';
import { faultWeights, findFault, unsentCodes } from './answers.mjs';
import { callMcp, callWebtools, closeMcp, openMcp } from './call.mjs';
import { ClientSession } from './sessions.mjs';

/** The version of MCP with batches, and the latest one. */
const protocols = ['2025-03-26', '2025-06-18'];

/** One of the concurrent clients: calls until the phase ends, with one session at a time. */
export class Client {
  #number;
  #phase;
  #random;
  #calls = 0;
  #session;
  #mcp;
  /** Whether the last call failed because a part is down, so that the client waits before the next one. */
  #isFailing = false;

  /** @param phase - the gateways, the windows of faults, the tally and the end of the phase */
  constructor(number, phase) {
    this.#number = number;
    this.#phase = phase;
    this.#random = createRandom(phase.seed * 1_000 + number);
  }

  get #usesMcp() {
    return this.#number % 2 === 1;
  }

  async run() {
    while (!this.#phase.isOver()) {
      const turn = this.#random.weighted({ session: 50, plain: 30, batch: 5, invalid: 6, abandon: 4, unknown: 1 });
      await this.#turns[turn]();
      await wait(this.#random.below(20));
      if (this.#isFailing) await wait(50 + this.#random.below(100));
    }
  }

  #turns = {
    session: () => this.#callInSession(),
    plain: () => this.#callAndCheck(this.#randomCall()),
    batch: () => this.#callBatch(),
    invalid: () => this.#callRefused({ ...this.#randomCall('book'), input: { guests: 99 } }, 'SCHEMA_ERROR'),
    unknown: () => this.#callRefused({ ...this.#randomCall('book'), action: 'missing' }, 'ACTION_NOT_FOUND'),
    abandon: () => this.#abandon(),
  };

  #randomCall(action = this.#random.pick(['book', 'find', 'upload', 'token', 'token']), more = {}) {
    const fault = this.#random.weighted(faultWeights);
    const call = `${this.#phase.name}-${this.#number}-${this.#calls++}-${fault}`;
    const inputs = {
      book: { guests: 1 + this.#random.below(12), seat: this.#random.pick(['in', 'out']) },
      find: { words: 'green tea' },
      upload: {
        file: { name: 'a.txt', mediaType: 'text/plain', content: btoa('x'.repeat(this.#random.below(20_000))) },
      },
    };
    return { id: this.#calls, action, fault, call, input: { call, ...inputs[action], ...more } };
  }

  /** Sends a call to any of the processes and counts its outcome. */
  async #send(call, { signal, mcp = this.#mcpHeaders(), sessionId } = {}) {
    const gateway = this.#random.pick(this.#phase.gateways);
    const began = performance.now();
    const [outcome] = this.#usesMcp
      ? await callMcp(gateway, { calls: [call], session: mcp, signal })
      : [await callWebtools(gateway, { ...call, sessionId, signal })];
    this.#count(call, outcome, gateway, began);
    return outcome;
  }

  #mcpHeaders() {
    return { 'mcp-protocol-version': protocols[this.#number % 4 === 1 ? 0 : 1] };
  }

  #count(call, outcome, gateway, began) {
    const { tally, windows, refused, durations } = this.#phase;
    const { failure, code, detail } = outcome;
    this.#isFailing = failure === 'connection' || /UNREACHABLE|UNAVAILABLE/.test(code ?? '');
    tally.add('calls');
    if (failure === 'connection' && gateway.wasDown(began)) return tally.add('connection errors of an ended process');
    if (failure) return tally.add(failure === 'abandoned' ? failure : `failed: ${failure}`, `${call.call}: ${detail}`);
    if (call.expected === undefined) {
      const problem = findFault({ ...call, ...outcome, windows: windows(began) });
      if (problem) tally.add('wrong answer', `${call.call}: ${problem} ${outcome.message ?? ''}`);
    }
    if (code === undefined) {
      tally.add('answered');
      durations.push(performance.now() - began);
    } else {
      tally.add(`code ${code}`);
      if (unsentCodes.has(code)) refused.push(`${call.action} ${call.call}`);
    }
    if (outcome.warning) tally.add('warnings that a session was not saved');
  }

  async #callAndCheck(call) {
    return await this.#send(call);
  }

  async #callRefused(call, expected) {
    const began = performance.now();
    const { code, failure } = await this.#send({ ...call, expected });
    const isStopping = code === 'SHUTTING_DOWN' && this.#phase.windows(began).isStopping;
    if (!failure && code !== expected && !isStopping)
      this.#phase.tally.add('wrong answer', `${call.call}: ${code} instead of ${expected}`);
  }

  async #abandon() {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.#random.below(120));
    await this.#send(this.#randomCall(), { signal: controller.signal });
    clearTimeout(timer);
  }

  async #callBatch() {
    const gateway = this.#random.pick(this.#phase.gateways);
    const calls = [this.#randomCall(), this.#randomCall(), this.#randomCall()];
    const began = performance.now();
    const session = { 'mcp-protocol-version': protocols[0] };
    const outcomes = await callMcp(gateway, { calls, session });
    for (const [index, outcome] of outcomes.entries()) this.#count(calls[index], outcome, gateway, began);
  }

  /** One call in the session, or several calls at once in different slots. */
  async #callInSession() {
    const session = await this.#openSession();
    if (!session) return;
    const free = session.freeSlots;
    const width = this.#random.chance(0.2) ? Math.min(3, free.length) : 1;
    const start = this.#random.below(free.length);
    const chosen = Array.from({ length: width }, (_, index) => free[(start + index) % free.length]);
    await Promise.all(chosen.map((slot) => this.#visit(session, slot, new Set(chosen))));
  }

  async #visit(session, slot, busy) {
    const { tally } = this.#phase;
    const call = this.#randomCall('visit', { slot });
    session.calls++;
    const outcome = await this.#send(call, { mcp: this.#mcp, sessionId: session.id });
    const seen = outcome.answer?.json;
    const isUnchanged = outcome.code !== undefined && unsentCodes.has(outcome.code);
    if (seen) {
      busy.delete(slot);
      for (const problem of session.compare(seen, busy)) tally.add(problem.split(':')[0], `${call.call}: ${problem}`);
      busy.add(slot);
    }
    if (seen && !outcome.warning) session.confirm(seen);
    else if (!isUnchanged) session.retire(slot);
  }

  async #openSession() {
    const { tally } = this.#phase;
    if (this.#session && (this.#session.freeSlots.length === 0 || this.#session.calls > 60)) await this.#closeSession();
    if (this.#session) return this.#session;
    const gateway = this.#random.pick(this.#phase.gateways);
    if (this.#usesMcp) {
      this.#mcp = await openMcp(gateway, protocols[this.#number % 4 === 1 ? 0 : 1]);
      if (!this.#mcp) return undefined;
    }
    tally.add('sessions');
    return (this.#session = new ClientSession(crypto.randomUUID()));
  }

  async #closeSession() {
    if (this.#mcp) await closeMcp(this.#random.pick(this.#phase.gateways), this.#mcp);
    [this.#session, this.#mcp] = [undefined, undefined];
  }
}
