// Runs in the soaked page: lanes that change their own part of the page and call its tools, at the same time.
import { createRandom } from '../random.mjs';
import { createForm, submissions } from './forms.mjs';
import { createNoise, mutate } from './mutations.mjs';
import { scenarios, weights } from './scenarios.mjs';

const counts = { mutations: 0, calls: 0, lists: 0, violations: {} };
const examples = [];
/** Calls whose request the site must have received once. */
let sent = [];

function violation(what, detail) {
  counts.violations[what] = (counts.violations[what] ?? 0) + 1;
  if (examples.length < 20) examples.push(`${what}: ${String(detail).slice(0, 300)}`);
}

new MutationObserver((records) => (counts.mutations += records.length)).observe(document, {
  ...{ subtree: true, childList: true, attributes: true, characterData: true },
});

const answerMs = 20_000;
const scenarioMs = 90_000;

async function withTimeout(promise, what, milliseconds = answerMs) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve({ error: new Error(`no answer: ${what}`), isLate: true }), milliseconds);
  });
  return (await Promise.race([promise, late]).finally(() => clearTimeout(timer))) ?? {};
}

const kinds = ['answer', 'later', 'wait', 'fetch', 'element'];

class Lane {
  #number;
  #names = 0;
  #calls = 0;
  #models = [];
  #section = document.createElement('section');
  #noises = document.createElement('section');

  constructor(number, seed) {
    this.#number = number;
    this.random = createRandom(seed * 100 + number);
    document.body.append(this.#section, this.#noises);
    for (let index = 0; index < 10; index++) this.#noises.append(createNoise(this.random));
    for (const kind of [...kinds, 'answer']) this.add(kind);
    this.#mutate(this.#models, 1_000); // so that the page has its usual size from the start
  }

  /** @param perCall - the number of mutations before each call */
  async run(rounds, perCall) {
    for (let round = 0; round < rounds; round++) {
      for (let piece = 0; piece < 3; piece++) {
        this.#mutate(this.#models, Math.ceil(perCall / 3));
        if (this.random.chance(0.3)) await new Promise((resolve) => setTimeout(resolve));
      }
      this.#replaceSometimes();
      const name = this.random.weighted(weights);
      try {
        const { isLate } = await withTimeout(Promise.resolve(scenarios[name](this)), name, scenarioMs);
        if (isLate) violation('scenarios that do not end', name);
      } catch (error) {
        violation(`exception in ${name}`, error?.stack ?? error);
      }
    }
  }

  #mutate(models, count) {
    mutate(
      models.map(({ form }) => form),
      this.#noises,
      this.random,
      count,
    );
  }

  mutateOthers(model) {
    this.#mutate(
      this.#models.filter((each) => each !== model),
      2,
    );
  }

  #replaceSometimes() {
    if (this.random.chance(0.2)) this.rename(this.random.pick(this.#models));
    if (!this.random.chance(0.1)) return;
    const old = this.random.pick(this.#models);
    this.remove(old);
    this.add(old.kind);
  }

  newName() {
    return `tool_${this.#number}_${this.#names++}`;
  }

  input() {
    const call = `call-${this.#number}-${this.#calls++}`;
    return { call, guests: 1 + this.random.below(12), seat: this.random.pick(['in', 'out']) };
  }

  answerOf({ call, guests, seat }) {
    return JSON.stringify([call, String(guests), seat]);
  }

  model(kind) {
    const name = this.newName();
    return { kind, name, form: createForm(kind, name) };
  }

  add(kind) {
    const model = this.model(kind);
    if (kind === 'element') this.#declare(model);
    else this.place(model.form);
    this.#models.push(model);
    return model;
  }

  /** Declares the form by a `<webmcp-tool for>`. */
  #declare(model) {
    model.form.id = `f-${model.name}`;
    model.tool = document.createElement('webmcp-tool');
    const attributes = { for: model.form.id, name: model.name, description: 'Books a table.', autosubmit: '' };
    for (const [key, value] of Object.entries(attributes)) model.tool.setAttribute(key, value);
    this.place(model.tool);
    this.place(model.form);
  }

  place(node) {
    const before = this.random.pick([...this.#section.children, null]);
    this.#section.insertBefore(node, before);
  }

  remove(model) {
    model.form.remove();
    model.tool?.remove();
    this.#models = this.#models.filter((each) => each !== model);
  }

  rename(model) {
    model.name = this.newName();
    if (model.tool) model.tool.setAttribute('name', model.name);
    else model.form.setAttribute('toolname', model.name);
  }

  pick(...kinds) {
    return this.random.pick(this.#models.filter(({ kind }) => kinds.includes(kind)));
  }

  async tools() {
    counts.lists++;
    return await document.modelContext.getTools();
  }

  async call(name, input, options) {
    const tool = (await this.tools()).find((each) => each.name === name) ?? (await this.#lateTool(name));
    if (!tool) return { error: new Error(`The tool ${name} is not listed.`) };
    counts.calls++;
    const settled = document.modelContext.executeTool(tool, input, options).then(
      (result) => ({ result }),
      (error) => ({ error }),
    );
    const outcome = await withTimeout(settled, name);
    if (outcome.isLate) violation('calls without an answer', name);
    return outcome;
  }

  /** Elements register their tools in a task of their own. */
  async #lateTool(name) {
    for (let turn = 0; turn < 100; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const tool = (await this.tools()).find((each) => each.name === name);
      if (tool) return tool;
    }
    return undefined;
  }

  async expectAnswer({ name }) {
    const input = this.input();
    const { result, error } = await this.call(name, input);
    this.expect('answer', result === this.answerOf(input), error ?? result);
    this.expectSubmissions(input.call, 1);
  }

  async expectGone(name) {
    const isListed = (await this.tools()).some((each) => each.name === name);
    this.expect('removed tools are not listed', !isListed, name);
  }

  expect(what, isRight, detail) {
    if (!isRight) violation(what, detail);
  }

  expectSubmissions(call, count) {
    const seen = submissions.get(call) ?? 0;
    submissions.delete(call);
    if (seen !== count) violation('submissions of a call', `${seen} instead of ${count} of ${call}`);
  }

  noteSent(call) {
    sent.push(call);
  }

  async addFrame(kind = 'answer') {
    const name = this.newName();
    const frame = document.createElement('iframe');
    frame.src = `/frame?name=${name}&kind=${kind}`;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    this.place(frame);
    await loaded;
    return { frame, name };
  }
}

let lanes = [];

/** The page as HTML, so that another page can compute its tools anew. */
function serialize() {
  const roots = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  return document.documentElement.getHTML({ shadowRoots: roots });
}

function countNodes() {
  const walker = document.createTreeWalker(document);
  let count = 1;
  while (walker.nextNode()) count++;
  return count;
}

async function listTools() {
  const tools = await document.modelContext.getTools();
  return tools
    .map(({ name, title, description, inputSchema }) => JSON.stringify({ name, title, description, inputSchema }))
    .sort();
}

globalThis.soak = {
  start(seed, width) {
    lanes = Array.from({ length: width }, (_, number) => new Lane(number, seed));
  },
  /** Runs all lanes, and returns what they counted until now. */
  async run(rounds, perCall) {
    await Promise.all(lanes.map((lane) => lane.run(rounds, perCall)));
    const all = { ...counts, examples, sent, left: submissions.size, nodes: countNodes() };
    sent = [];
    return JSON.stringify(all);
  },
  serialize,
  listTools,
};
