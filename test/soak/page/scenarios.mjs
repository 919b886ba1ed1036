// The calls of a lane. Each scenario makes a call and compares its outcome with the only one that is right.
import { createForm, stateOf } from './forms.mjs';

const eventOf = (target, type) => new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
const codesOf = (error) => (error?.errors ?? []).map(({ code }) => code).join();

/** The scenarios by name. `lane.call(name, input, options)` resolves with `{ result }` or `{ error }`. */
export const scenarios = {
  async valid(lane) {
    await lane.expectAnswer(lane.pick('answer', 'later'));
  },

  async fetch(lane) {
    const model = lane.pick('fetch');
    const input = lane.input();
    const { result, error } = await lane.call(model.name, input);
    const answer = result && JSON.parse(result);
    lane.expect('fetch', answer?.json?.call === input.call && answer.status === 200, error ?? result);
    lane.noteSent(input.call);
  },

  async invalid(lane) {
    const model = lane.pick('answer', 'wait', 'fetch', 'element');
    const [wrong, code] = lane.random.pick([
      [{ guests: 99 }, 'range-overflow'],
      [{ guests: 0 }, 'range-underflow'],
      [{ seat: 'roof' }, 'not-offered'],
      [{ missing: 1 }, 'unknown-parameter'],
      [{ guests: ['x'] }, 'wrong-type'],
      [{ guests: 1.5 }, 'step-mismatch|wrong-type'],
    ]);
    const before = stateOf(model.form);
    const input = { ...lane.input(), ...wrong };
    const { result, error } = await lane.call(model.name, input);
    lane.expect(`invalid ${code}`, code.split('|').includes(codesOf(error)), `${codesOf(error)} ${error ?? result}`);
    lane.expect('restored after an invalid call', stateOf(model.form) === before, stateOf(model.form));
    lane.expectSubmissions(input.call, 0);
  },

  async fails(lane) {
    const model = lane.add('fails');
    const input = lane.input();
    const { result, error } = await lane.call(model.name, input);
    lane.expect('rejected answer', /has no table/.test(error?.message), error ?? result);
    lane.expectSubmissions(input.call, 1);
    lane.remove(model);
  },

  async leaves(lane) {
    const model = lane.add('leaves');
    await lane.expectAnswer(model);
    lane.remove(model);
  },

  approved: (lane) => whileWaiting(lane, (model) => model.form.querySelector('button').click(), { answered: true }),
  undone: (lane) => whileWaiting(lane, (_model, event) => event.detail.undo(), { code: 'undone', restored: true }),
  canceled: (lane) =>
    whileWaiting(lane, (_model, _event, caller) => caller.abort(), { name: 'AbortError', restored: false }),
  reset: (lane) => whileWaiting(lane, (model) => model.form.reset(), { code: 'reset' }),
  renamed: (lane) => whileWaiting(lane, (model) => lane.rename(model), { code: 'renamed' }),
  removed: (lane) => whileWaiting(lane, (model) => model.form.remove(), { code: 'removed', gone: true }),

  async canceledBefore(lane) {
    const model = lane.pick('answer');
    const input = lane.input();
    const { error, result } = await lane.call(model.name, input, { signal: AbortSignal.abort() });
    lane.expect('canceled before', error?.name === 'AbortError', error ?? result);
    lane.expectSubmissions(input.call, 0);
  },

  async element(lane) {
    await lane.expectAnswer(lane.pick('element'));
  },

  async shadow(lane) {
    const host = document.createElement('div');
    const model = lane.model('shadow');
    host.attachShadow({ mode: 'open' }).append(model.form);
    lane.place(host);
    await lane.expectAnswer(model);
    host.remove();
  },

  async duplicate(lane) {
    const first = lane.add('answer');
    const second = { ...first, form: createForm('later', first.name) };
    lane.place(second.form);
    await lane.expectAnswer(first);
    lane.expect('one tool of two forms', (await lane.tools()).filter(({ name }) => name === first.name).length === 1);
    lane.remove(first);
    await lane.expectAnswer(second);
    second.form.remove();
    await lane.expectGone(second.name);
  },

  async scriptElement(lane) {
    const name = lane.newName();
    const tool = document.createElement('webmcp-tool');
    for (const [key, value] of [
      ['name', name],
      ['description', 'Echoes.'],
    ])
      tool.setAttribute(key, value);
    tool.innerHTML = '<webmcp-param name="call" description="The call" required></webmcp-param>';
    tool.addEventListener('toolcall', (event) => event.respondWith(Promise.resolve(event.input.call)));
    lane.place(tool);
    const input = { call: lane.input().call };
    const { result, error } = await lane.call(name, input);
    lane.expect('script element', result?.includes(input.call), error ?? result);
    tool.remove();
  },

  async registered(lane) {
    const [name, controller] = [lane.newName(), new AbortController()];
    const execute = ({ call }) => call;
    await document.modelContext.registerTool({ name, description: 'Echoes.', execute }, { signal: controller.signal });
    const input = { call: lane.input().call };
    const { result, error } = await lane.call(name, input);
    lane.expect('registered', result?.includes(input.call), error ?? result);
    controller.abort();
    await lane.expectGone(name);
  },

  async frame(lane) {
    const { frame, name } = await lane.addFrame();
    const input = lane.input();
    const { result, error } = await lane.call(name, input);
    lane.expect('frame', result?.includes(input.call), error ?? result);
    frame.remove();
    await lane.expectGone(name);
  },

  async removedFrame(lane) {
    const { frame, name } = await lane.addFrame('wait');
    const caught = eventOf(frame.contentDocument, 'webmcp-await-user');
    const call = lane.call(name, lane.input());
    await Promise.race([caught, call]);
    frame.remove();
    const { result, error } = await call;
    lane.expect('removed frame', error !== undefined || result === null, `${error ?? result}`);
  },
};

async function whileWaiting(lane, act, { answered, code, name, restored, gone }) {
  const model = lane.add('wait');
  const [input, caller, before] = [lane.input(), new AbortController(), stateOf(model.form)];
  const waiting = eventOf(model.form, 'webmcp-await-user');
  const called = lane.call(model.name, input, { signal: caller.signal });
  const event = await Promise.race([waiting, called.then(({ error, result }) => ({ early: error ?? result }))]);
  if (event.early !== undefined) return lane.expect('waits for the user', false, event.early);
  lane.mutateOthers(model);
  act(model, event, caller);
  const { result, error } = await called;
  const what = code ?? name ?? 'approved';
  if (answered) lane.expect(what, result === lane.answerOf(input), error ?? result);
  else lane.expect(what, code ? codesOf(error) === code : error?.name === name, `${codesOf(error)} ${error ?? result}`);
  if (restored) lane.expect(`restored after ${what}`, stateOf(model.form) === before, stateOf(model.form));
  lane.expectSubmissions(input.call, answered ? 1 : 0);
  lane.remove(model);
  if (gone) await lane.expectGone(model.name);
}

/** How often each scenario is chosen. Frames load a document and are slow. */
export const weights = {
  ...{ valid: 40, fetch: 10, invalid: 20, fails: 3, leaves: 3, approved: 4, undone: 3, canceled: 3, reset: 3 },
  ...{
    renamed: 3,
    removed: 3,
    canceledBefore: 2,
    element: 6,
    shadow: 3,
    duplicate: 3,
    scriptElement: 2,
    registered: 3,
  },
  ...{ frame: 0.4, removedFrame: 0.2 },
};
