import { expect } from '@open-wc/testing';
import {
  hasState,
  setState,
  stateFor,
  stateOf,
  type NativeAssignment,
} from '../../../src/browser/dom/control-state.js';

/** A control in a page, and a log of its events with the state at that time. */
function place(html: string): { control: Element; log: string[]; form: HTMLFormElement } {
  const form = document.createElement('form');
  form.innerHTML = html;
  document.body.append(form);
  cleanUp.push(() => form.remove());
  const control = form.querySelector('[name=c]') as Element;
  const log: string[] = [];
  const types = [
    ...['focus', 'focusin', 'keydown', 'keypress', 'beforeinput', 'input', 'keyup', 'click', 'change', 'blur'],
    ...['focusout', 'invalid'],
  ];
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

/** The events of a user who enters the control, changes it and leaves it. */
const entered = (before: string, after: string, events: readonly string[]) => [
  ...[`focus composed c: ${before}`, `focusin bubbles composed c: ${before}`],
  ...events,
  ...[`blur composed c: ${after}`, `focusout bubbles composed c: ${after}`],
];
const edits = (after: string) => [`input bubbles composed c: ${after}`, `change bubbles c: ${after}`];
const chosen = (before: string, after: string) => entered(before, after, edits(after));
const clicked = (before: string, after: string) =>
  entered(before, after, [`click bubbles composed c: ${after}`, ...edits(after)]);
const typed = (before: string, after: string) =>
  entered(before, after, [
    ...[`keydown bubbles composed c: ${before}`, `beforeinput bubbles composed c: ${before}`],
    ...[`input bubbles composed c: ${after}`, `keyup bubbles composed c: ${after}`, `change bubbles c: ${after}`],
  ]);
/** A control of a type that the browser does not know is a text field. */
const pickedIfKnown = (type: string) =>
  Object.assign(document.createElement('input'), { type }).type === type ? chosen : typed;
const scripted = (_: string, after: string) => edits(after);

describe('setState', () => {
  for (const [kind, html, text, events = typed] of [
    ['text', '<input name=c id=c value=old>', 'new'],
    ['text that a user cannot reach', '<input name=c id=c tabindex=-1>', 'new', scripted],
    ['text that is not displayed', '<input name=c id=c hidden>', 'new', scripted],
    ['number', '<input name=c id=c type=number>', '19999.99'],
    ['large number', '<input name=c id=c type=number>', '3000000000'],
    ['range', '<input name=c id=c type=range>', '7', chosen],
    ['date', '<input name=c id=c type=date>', '2026-11-22', chosen],
    ['datetime-local', '<input name=c id=c type=datetime-local>', '2026-11-22T18:30', chosen],
    ['month', '<input name=c id=c type=month>', '2026-11', pickedIfKnown('month')],
    ['week', '<input name=c id=c type=week>', '2026-W47', pickedIfKnown('week')],
    ['time', '<input name=c id=c type=time>', '18:30', chosen],
    ['color', '<input name=c id=c type=color>', '#ff0000', chosen],
    ['hidden', '<input name=c id=c type=hidden>', 'x', scripted],
    ['password', '<input name=c id=c type=password>', 'x'],
    ['textarea', '<textarea name=c id=c>old</textarea>', 'new'],
  ] as const) {
    it(`sets the value of a ${kind} with the events of a user`, () => {
      const { control, log } = place(html);
      const before = shown(control);
      fill(control, value(text));
      expect(log).to.deep.equal(events(before, JSON.stringify(text)));
    });
  }

  it('clicks a checkbox, which dispatches the events of a user', () => {
    const { control, log } = place('<input name=c id=c type=checkbox>');
    fill(control, { set: 'checked', checked: true } as never);
    fill(control, { set: 'checked', checked: false } as never);
    expect(log).to.deep.equal([...clicked('false', 'true'), ...clicked('true', 'false')]);
  });

  it('clicks the radio button to check, and dispatches nothing at the other radio buttons', () => {
    const { control, log } = place('<input name=c id=c type=radio><input name=c id=d type=radio checked>');
    fill(control, { set: 'checked', checked: true } as never);
    expect(log).to.deep.equal(clicked('false', 'true'));
    expect((document.getElementById('d') as HTMLInputElement).checked).to.equal(false);
  });

  it('unchecks a radio button without a click', () => {
    const { control, log } = place('<input name=c id=c type=radio checked>');
    setState(control, { kind: 'checked', checked: false });
    expect(log).to.deep.equal(chosen('true', 'false'));
  });

  it('selects an option of a select', () => {
    const { control, log } = place('<select name=c id=c><option>a<option disabled>b<option>c</select>');
    fill(control, { set: 'selected', options: [2] } as never);
    expect(log).to.deep.equal(chosen('100', '001'));
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
    expect(log).to.deep.equal(chosen('100', '011'));
  });

  it('sets the files of a file input with their bytes', async () => {
    const { control, log } = place('<input name=c id=c type=file multiple>');
    const files = [
      { name: 'a.txt', mediaType: 'text/plain', content: btoa('hello') },
      { name: 'b.bin', mediaType: '', content: btoa('\xff\x00') },
    ];
    fill(control, { set: 'files', files } as never);
    expect(log).to.deep.equal(chosen('', 'a.txt 5 text/plain, b.bin 2 '));
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

  it('restores the focus and the selection of the user after a listener has moved the focus', () => {
    const { control, form } = place('<input name=c id=c><input id=focused value=abc><input id=popup>');
    const focused = document.getElementById('focused') as HTMLInputElement;
    focused.focus();
    focused.setSelectionRange(1, 2);
    form.addEventListener('focusin', ({ target }) => target === control && document.getElementById('popup')?.focus());
    fill(control, value('x'));
    expect(document.activeElement === focused).to.equal(true);
    expect([focused.selectionStart, focused.selectionEnd]).to.deep.equal([1, 2]);
    focused.blur();
    fill(control, value('y'));
    expect(document.activeElement === document.body).to.equal(true);
  });

  it('dispatches no focus events at a control that the user has focused', () => {
    const { control, log } = place('<input name=c id=c>');
    (control as HTMLInputElement).focus();
    log.length = 0;
    fill(control, value('x'));
    expect(log).to.deep.equal(typed('""', '"x"').slice(2, -2));
    expect(document.activeElement === control).to.equal(true);
  });

  it('types with a key that pages cannot confuse with a shortcut or a character', () => {
    const { control } = place('<input name=c id=c value=old>');
    const keys: unknown[] = [];
    for (const type of ['keydown', 'keyup'] as const) {
      (control as HTMLInputElement).addEventListener(type, ({ key, keyCode }) => keys.push([key, keyCode]));
    }
    fill(control, value('x'));
    expect(keys).to.deep.equal([
      ['Unidentified', 229],
      ['Unidentified', 229],
    ]);
  });

  it('dispatches the text with beforeinput and input, and its removal as a deletion', () => {
    const { control } = place('<input name=c id=c value=old>');
    const edits: unknown[] = [];
    for (const type of ['beforeinput', 'input'] as const) {
      (control as HTMLInputElement).addEventListener(type, (event) => {
        const { inputType, data } = event;
        edits.push([type, inputType, data, event.cancelable]);
      });
    }
    fill(control, value('x'));
    fill(control, value(''));
    expect(edits).to.deep.equal([
      ['beforeinput', 'insertReplacementText', 'x', true],
      ['input', 'insertReplacementText', 'x', false],
      ['beforeinput', 'deleteContentBackward', null, true],
      ['input', 'deleteContentBackward', null, false],
    ]);
  });

  it('leaves the value as it is if the page cancels beforeinput, as browsers do', () => {
    const { control, form, log } = place('<input name=c id=c value=old>');
    form.addEventListener('beforeinput', (event) => event.preventDefault());
    fill(control, value('x'));
    expect(shown(control)).to.equal('"old"');
    expect(log.filter((entry) => /^(?:input|change)/.test(entry))).to.deep.equal([]);
  });

  it('does not double the characters of a mask that inserts them on keydown and keypress', () => {
    const { control } = place('<input name=c id=c>');
    const input = control as HTMLInputElement;
    for (const type of ['keydown', 'keypress'] as const) {
      input.addEventListener(type, (event) => {
        if (event.key.length !== 1) return;
        event.preventDefault();
        input.value += event.key;
      });
    }
    fill(control, value('12'));
    expect(shown(control)).to.equal('"12"');
  });

  it('bypasses setters that a framework has defined on the element', () => {
    const { control } = place('<input name=c id=c>');
    Object.defineProperty(control, 'value', {
      set() {
        expect.fail('the setter of the element');
      },
      get: () => 'own',
    });
    fill(control, value('x'));
    expect(stateOf(control)).to.deep.equal({ kind: 'value', value: 'x' });
  });

  it('accepts that the page changes the state again, which hasState reports', () => {
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
