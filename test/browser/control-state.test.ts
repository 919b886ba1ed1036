import { expect } from '@open-wc/testing';
import { hasState, setState, stateFor, stateOf, type NativeAssignment } from '../../src/browser/dom/control-state.js';

/** A control in a page, and a log of its events with the state at that time. */
function place(html: string): { control: Element; log: string[]; form: HTMLFormElement } {
  const form = document.createElement('form');
  form.innerHTML = html;
  document.body.append(form);
  cleanUp.push(() => form.remove());
  const control = form.querySelector('[name=c]') as Element;
  const log: string[] = [];
  const types = ['input', 'change', 'click', 'focus', 'focusin', 'blur', 'keydown', 'beforeinput', 'invalid'];
  for (const type of types) {
    form.addEventListener(
      type,
      ({ target, bubbles, composed }) => {
        const flags = `${bubbles ? ' bubbles' : ''}${composed ? ' composed' : ''}`;
        log.push(`${type}${flags} ${(target as Element).id}: ${shown(target as Element)}`);
      },
      true,
    );
  }
  return { control, log, form };
}

let cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const undo of cleanUp) undo();
  cleanUp = [];
});

function shown(control: Element): string {
  const state = stateOf(control);
  switch (state.kind) {
    case 'value':
      return JSON.stringify(state.value);
    case 'checked':
      return String(state.checked);
    case 'selected':
      return state.options.map(Number).join('');
    case 'files':
      return state.files.map(({ name, size, type }) => `${name} ${size} ${type}`).join(', ');
  }
}

const fill = (control: Element, setting: Omit<NativeAssignment, 'control'>): void =>
  setState(control, stateFor(control, { control: 0, ...setting } as NativeAssignment));

const value = (text: string) => ({ set: 'value' as const, value: text });
const typed = (text: string) => [`input bubbles composed c: "${text}"`, `change bubbles c: "${text}"`];

describe('setState', () => {
  for (const [kind, html, text] of [
    ['text', '<input name=c id=c value=old>', 'new'],
    ['number', '<input name=c id=c type=number>', '19999.99'],
    ['large number', '<input name=c id=c type=number>', '3000000000'],
    ['range', '<input name=c id=c type=range>', '7'],
    ['date', '<input name=c id=c type=date>', '2026-11-22'],
    ['datetime-local', '<input name=c id=c type=datetime-local>', '2026-11-22T18:30'],
    ['month', '<input name=c id=c type=month>', '2026-11'],
    ['week', '<input name=c id=c type=week>', '2026-W47'],
    ['time', '<input name=c id=c type=time>', '18:30'],
    ['color', '<input name=c id=c type=color>', '#ff0000'],
    ['hidden', '<input name=c id=c type=hidden>', 'x'],
    ['password', '<input name=c id=c type=password>', 'x'],
    ['textarea', '<textarea name=c id=c>old</textarea>', 'new'],
  ] as const) {
    it(`sets the value of a ${kind} before it dispatches input and change`, () => {
      const { control, log } = place(html);
      fill(control, value(text));
      expect(log).to.deep.equal(typed(text));
    });
  }

  it('clicks a checkbox, which dispatches the events of a user', () => {
    const { control, log } = place('<input name=c id=c type=checkbox>');
    fill(control, { set: 'checked', checked: true } as never);
    fill(control, { set: 'checked', checked: false } as never);
    const events = (checked: boolean) => [
      `click bubbles composed c: ${checked}`,
      `input bubbles composed c: ${checked}`,
      `change bubbles c: ${checked}`,
    ];
    expect(log).to.deep.equal([...events(true), ...events(false)]);
  });

  it('clicks the checked radio button, and dispatches nothing at the others', () => {
    const { control, log } = place('<input name=c id=c type=radio><input name=c id=d type=radio checked>');
    fill(control, { set: 'checked', checked: true } as never);
    expect(log).to.deep.equal([
      'click bubbles composed c: true',
      'input bubbles composed c: true',
      'change bubbles c: true',
    ]);
    expect((document.getElementById('d') as HTMLInputElement).checked).to.equal(false);
  });

  it('unchecks a radio button without a click', () => {
    const { control, log } = place('<input name=c id=c type=radio checked>');
    setState(control, { kind: 'checked', checked: false });
    expect(log).to.deep.equal(['input bubbles composed c: false', 'change bubbles c: false']);
  });

  it('selects an option of a select', () => {
    const { control, log } = place('<select name=c id=c><option>a<option disabled>b<option>c</select>');
    fill(control, { set: 'selected', options: [2] } as never);
    expect(log).to.deep.equal(['input bubbles composed c: 001', 'change bubbles c: 001']);
  });

  it('restores a select without a selected option', () => {
    const { control } = place('<select name=c id=c><option>a<option>b</select>');
    (control as HTMLSelectElement).selectedIndex = -1;
    const before = stateOf(control);
    fill(control, { set: 'selected', options: [1] } as never);
    setState(control, before);
    expect((control as HTMLSelectElement).selectedIndex).to.equal(-1);
  });

  it('dispatches one input and one change for all options of a select multiple', () => {
    const { control, log } = place('<select name=c id=c multiple><option selected>a<option>b<option>c</select>');
    fill(control, { set: 'selected', options: [1, 2] } as never);
    expect(log).to.deep.equal(['input bubbles composed c: 011', 'change bubbles c: 011']);
  });

  it('sets the files of a file input with their bytes', async () => {
    const { control, log } = place('<input name=c id=c type=file multiple>');
    const files = [
      { name: 'a.txt', mediaType: 'text/plain', content: btoa('hello') },
      { name: 'b.bin', mediaType: '', content: btoa('\xff\x00') },
    ];
    fill(control, { set: 'files', files } as never);
    expect(log).to.deep.equal([
      'input bubbles composed c: a.txt 5 text/plain, b.bin 2 ',
      'change bubbles c: a.txt 5 text/plain, b.bin 2 ',
    ]);
    const [text, bytes] = (control as HTMLInputElement).files as unknown as [File, File];
    expect(await text.text()).to.equal('hello');
    expect([...new Uint8Array(await bytes.arrayBuffer())]).to.deep.equal([255, 0]);
    setState(control, { kind: 'files', files: [] });
    expect((control as HTMLInputElement).files?.length).to.equal(0);
  });

  for (const [kind, html] of [
    ['text', '<input name=c id=c value=x>'],
    ['textarea', '<textarea name=c id=c>x</textarea>'],
    ['checkbox', '<input name=c id=c type=checkbox checked>'],
    ['radio', '<input name=c id=c type=radio checked>'],
    ['select', '<select name=c id=c><option>a</select>'],
    ['select multiple', '<select name=c id=c multiple><option>a</select>'],
    ['file', '<input name=c id=c type=file>'],
  ] as const) {
    it(`does nothing to a ${kind} that already has the state`, () => {
      const { control, log } = place(html);
      setState(control, stateOf(control));
      expect(log).to.deep.equal([]);
    });
  }

  it('does not move the focus', () => {
    const { control } = place('<input name=c id=c><input id=focused>');
    document.getElementById('focused')?.focus();
    fill(control, value('x'));
    expect(document.activeElement?.id).to.equal('focused');
  });

  it('bypasses setters that a framework has defined on the element', () => {
    const { control } = place('<input name=c id=c>');
    Object.defineProperty(control, 'value', { set: () => expect.fail('the setter of the element'), get: () => 'own' });
    fill(control, value('x'));
    expect(stateOf(control)).to.deep.equal({ kind: 'value', value: 'x' });
  });

  it('leaves a state that the page changes again, as hasState reports', () => {
    const { control, form } = place('<input name=c id=c>');
    form.addEventListener('input', () => ((control as HTMLInputElement).value = 'mine'));
    fill(control, value('x'));
    expect(hasState(control, { kind: 'value', value: 'x' })).to.equal(false);
    const { control: box, form: other } = place('<input name=c id=c type=checkbox>');
    other.addEventListener('click', (event) => event.preventDefault());
    fill(box, { set: 'checked', checked: true } as never);
    expect(hasState(box, { kind: 'checked', checked: true })).to.equal(false);
  });

  it('works in a form whose controls clobber the members that it uses', () => {
    const { control } = place(
      '<input name=value><input name=dispatchEvent><input name=type><input name=checked><input name=c id=c>',
    );
    fill(control, value('x'));
    expect(hasState(control, { kind: 'value', value: 'x' })).to.equal(true);
  });
});
