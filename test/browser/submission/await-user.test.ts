import { expect } from '@open-wc/testing';
import type { AwaitUserDetail } from '../../../src/index.js';
import { openFrame } from '../../support/polyfill/frame.js';
import { mountReact } from '../frameworks/react.js';
import {
  afterTest,
  call,
  live,
  placeTool,
  rejection,
  settled,
  whereNotNative,
  waitUntil,
  place,
} from '../../support/browser/live.js';

const control = (form: HTMLFormElement, name: string): HTMLInputElement =>
  form.elements.namedItem(name) as HTMLInputElement;
const entriesOf = (form: HTMLFormElement): string =>
  Array.from(new FormData(form), ([name, value]) => `${name},${value as string}`).join(';');
const button = (form: HTMLFormElement): HTMLButtonElement => form.querySelector('button') as HTMLButtonElement;
const awaitUserEvent = (form: HTMLFormElement): Promise<AwaitUserDetail> =>
  new Promise((resolve) =>
    form.addEventListener('webmcp-await-user', (event) => resolve((event as CustomEvent<AwaitUserDetail>).detail), {
      once: true,
    }),
  );
const respond = (form: HTMLFormElement, answer: unknown): void =>
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (event.agentInvoked) event.respondWith(answer);
  });
const codes = async (promise: Promise<unknown>): Promise<string[]> => {
  const { name, errors } = await rejection(promise);
  return [name, ...errors.map(({ code }) => code)];
};
const form = (): HTMLFormElement =>
  placeTool(
    `<input name=a value=old><input name=b type=checkbox><input name=r type=radio value=x checked>
    <input name=r type=radio value=y><select name=s><option>1<option>2</select><button>Go</button>`,
    '',
  );
const input = { a: 'new', b: true, r: 'y', s: '2' };

whereNotNative('webmcp-await-user', () => {
  it('has a signal that aborts when the form stops waiting, not before', async () => {
    live();
    const element = form();
    const result = call(input);
    const { signal } = await awaitUserEvent(element);
    await settled();
    expect(signal.aborted).to.equal(false);
    respond(element, 'done');
    button(element).click();
    await result;
    expect(signal.aborted).to.equal(true);
  });

  it('lets a listener call undo() while the event is dispatched', async () => {
    live();
    const element = form();
    element.addEventListener('webmcp-await-user', (event) => (event as CustomEvent<AwaitUserDetail>).detail.undo());
    expect(await codes(call(input))).to.deep.equal(['NotAllowedError', 'undone']);
    expect(entriesOf(element)).to.equal('a,old;r,x;s,1');
  });

  it('undo() restores all changes with the events of a user, and rejects the call with NotAllowedError', async () => {
    live();
    const element = form();
    const result = codes(call(input));
    const { undo, signal } = await awaitUserEvent(element);
    const trace: string[] = [];
    for (const type of ['input', 'change']) {
      element.addEventListener(type, ({ target }) => trace.push(`${type} ${(target as HTMLInputElement).name}`));
    }
    undo();
    expect(await result).to.deep.equal(['NotAllowedError', 'undone']);
    expect(entriesOf(element)).to.equal('a,old;r,x;s,1');
    expect(trace.toSorted()).to.deep.equal(
      ['a', 'b', 'r', 's'].flatMap((name) => [`input ${name}`, `change ${name}`]).toSorted(),
    );
    expect([signal.aborted, element.className, button(element).className]).to.deep.equal([true, '', '']);
  });

  it('undo() restores controls that the user has corrected since', async () => {
    live();
    const element = form();
    const result = codes(call({ a: 'new' }));
    const { undo } = await awaitUserEvent(element);
    control(element, 'a').value = 'corrected';
    undo();
    await result;
    expect(control(element, 'a').value).to.equal('old');
  });

  it('undo() does not change values that the user has entered in other controls', async () => {
    live();
    const element = form();
    const note = element.querySelector('textarea') ?? element.insertBefore(document.createElement('textarea'), null);
    await settled();
    const result = codes(call(input));
    const { undo } = await awaitUserEvent(element);
    note.value = 'A long note';
    undo();
    expect(await result).to.deep.equal(['NotAllowedError', 'undone']);
    expect([note.value, control(element, 'a').value]).to.deep.equal(['A long note', 'old']);
  });

  it('moves the focus to the button unless the user is typing', async () => {
    live();
    const element = form();
    const other = place('<form><input><input type=checkbox></form>');
    for (const [index, focused] of [other[0], button(element)].entries()) {
      (other[index] as HTMLElement).focus();
      const result = codes(call(input));
      const { undo } = await awaitUserEvent(element);
      expect(document.activeElement === focused).to.equal(true);
      undo();
      await result;
    }
  });

  it('leaves the focus to a frame in which the user may be typing', async () => {
    live();
    const element = form();
    const frame = await openFrame({ srcdoc: '<input>' });
    frame.contentDocument!.querySelector('input')!.focus();
    const result = codes(call(input));
    const { undo } = await awaitUserEvent(element);
    expect(document.activeElement?.localName).to.equal('iframe');
    undo();
    await result;
  });

  it('in a frame, leaves the focus to the page around it', async () => {
    const [field] = place('<form><input></form>');
    (field as HTMLElement).focus();
    const { contentDocument } = await openFrame({
      srcdoc:
        '<script src="/webmcp-forms.iife.js"></script><form toolname=t tooldescription=d><input name=a><button>Go</button></form>',
    });
    const { modelContext } = contentDocument!;
    const [tool] = await modelContext.getTools();
    const result = codes(modelContext.executeTool(tool!, '{"a":"x"}'));
    const { undo } = await awaitUserEvent(contentDocument!.forms[0]!);
    expect(document.activeElement?.localName).to.equal('input');
    undo();
    await result;
  });

  it('undo() fires toolcancel', async () => {
    live();
    const element = form();
    const canceled = new Promise<unknown>((resolve) =>
      document.modelContext.addEventListener('toolcancel', resolve, { once: true }),
    );
    const result = codes(call(input));
    (await awaitUserEvent(element)).undo();
    await result;
    expect(await canceled).to.include({ toolName: 't' });
  });

  it('undo() restores a form of React and its state', async () => {
    live();
    const container = document.body.appendChild(document.createElement('div'));
    afterTest(() => container.remove());
    const initial = { text: 'old', number: '1', area: 'one', box: false, radio: 'a', select: 'x' };
    const mounted = await mountReact(container, initial);
    afterTest(() => mounted.unmount());
    mounted.form.removeAttribute('toolautosubmit');
    const result = codes(call({ text: 'new', number: 2, area: 'two', box: true, radio: 'b', select: 'y' }));
    const { undo } = await awaitUserEvent(mounted.form);
    await waitUntil(() => mounted.state().text === 'new' && mounted.state().box);
    undo();
    expect(await result).to.deep.equal(['NotAllowedError', 'undone']);
    await waitUntil(() => JSON.stringify(mounted.state()) === JSON.stringify(initial));
  });

  it('undo() does nothing after the submission, even while the page works on its response', async () => {
    live();
    const element = form();
    const result = call(input);
    const { undo, signal } = await awaitUserEvent(element);
    let answer!: (value: string) => void;
    respond(element, new Promise((resolve) => (answer = resolve)));
    button(element).click();
    undo();
    await settled();
    expect([control(element, 'a').value, signal.aborted]).to.deep.equal(['new', false]);
    answer('done');
    expect(await result).to.equal('done');
    undo();
    await settled();
    expect([control(element, 'a').value, signal.aborted]).to.deep.equal(['new', true]);
  });

  for (const [what, end, expected, options] of [
    ['the caller aborts', (_, caller) => caller.abort(), 'AbortError'],
    ['the form is reset', (element) => element.reset(), 'UnknownError reset'],
    ['the form is removed', (element) => element.remove(), 'UnknownError removed'],
    ['the tool is renamed', (element) => element.setAttribute('toolname', 'u'), 'UnknownError renamed'],
    ['the time limit is reached', () => undefined, 'TimeoutError time-limit', { awaitUser: 20 }],
  ] as [string, (element: HTMLFormElement, caller: AbortController) => void, string, object?][]) {
    it(`aborts its signal when ${what}, and undo() does nothing afterwards`, async () => {
      live(options);
      const element = form();
      const caller = new AbortController();
      const result = rejection(call(input, { signal: caller.signal }));
      const { signal, undo } = await awaitUserEvent(element);
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
      end(element, caller);
      const { name, errors } = await result;
      expect([name, ...((errors as typeof errors | undefined) ?? []).map(({ code }) => code)].join(' ')).to.equal(
        expected,
      );
      await aborted;
      await settled();
      const value = control(element, 'a').value;
      undo();
      await settled();
      expect(control(element, 'a').value).to.equal(value);
    });
  }

  it('undo() restores the form once', async () => {
    live();
    const element = form();
    const result = codes(call(input));
    const { undo } = await awaitUserEvent(element);
    undo();
    undo();
    expect(await result).to.deep.equal(['NotAllowedError', 'undone']);
    control(element, 'a').value = 'later';
    undo();
    await settled();
    expect(control(element, 'a').value).to.equal('later');
  });

  it('is dispatched for the next call after undo()', async () => {
    live();
    const element = form();
    const first = codes(call(input));
    const second = call({ a: 'second' });
    const { undo } = await awaitUserEvent(element);
    const again = awaitUserEvent(element);
    undo();
    expect(await first).to.deep.equal(['NotAllowedError', 'undone']);
    const { changes, signal } = await again;
    expect(changes.map(({ before, after }) => [before, after])).to.deep.equal([
      [
        { kind: 'value', value: 'old' },
        { kind: 'value', value: 'second' },
      ],
    ]);
    expect(signal.aborted).to.equal(false);
    undo(); // of the first call
    await settled();
    expect(control(element, 'a').value).to.equal('second');
    respond(element, 'done');
    button(element).click();
    expect(await second).to.equal('done');
  });
});
