import { expect } from '@open-wc/testing';
import {
  answerEntries,
  call,
  errorCodes,
  live,
  place,
  placeTool,
  rejection,
  whereNotNative,
} from '../../support/browser/live.js';

const types = [
  ...['focus', 'focusin', 'keydown', 'keypress', 'beforeinput', 'input', 'keyup', 'change', 'blur', 'focusout'],
  ...['pointerdown', 'mousedown', 'mouseup', 'click', 'invalid', 'submit', 'reset'],
];

/** The events of a control, from the form's entries before its change to those after it. */
const eventsOf = (before: readonly string[], after: readonly string[]) => (id: string, from: string, to: string) => [
  ...before.map((type) => `${type} ${id}: ${from}`),
  ...after.map((type) => `${type} ${id}: ${to}`),
];
const left = ['blur', 'focusout'];
const typed = eventsOf(['focus', 'focusin', 'keydown', 'beforeinput'], ['input', 'keyup', 'change', ...left]);
const chosen = eventsOf(['focus', 'focusin'], ['input', 'change', ...left]);
const clicked = eventsOf(['focus', 'focusin'], ['click', 'input', 'change', ...left]);
/** A control of a type that the browser does not know is a text field. */
const pickedIfKnown = (type: string) =>
  Object.assign(document.createElement('input'), { type }).type === type ? chosen : typed;
const scripted = eventsOf([], ['input', 'change']);

/** The entries of a form, as `name=value`. */
const held = (form: HTMLFormElement): string =>
  [...new FormData(form)].map(([name, value]) => `${name}=${value as string}`).join('&');

/** A log of events: the type, the control, and the entries of the form at that time. */
function trace(form: HTMLFormElement): string[] {
  const log: string[] = [];
  for (const type of types) {
    form.addEventListener(
      type,
      ({ target }) => log.push(`${type}${target === form ? '' : ` ${(target as Element).id}`}: ${held(form)}`),
      true,
    );
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    event.respondWith('done');
  });
  return log;
}

const field = (form: HTMLFormElement, id: string): HTMLInputElement => form.querySelector(`#${id}`) as HTMLInputElement;

beforeEach(() => void live());

const kinds: readonly (readonly [
  kind: string,
  html: string,
  before: string,
  value: unknown,
  after: string,
  events?: typeof typed,
])[] = [
  ['text', '<input id=c name=c value=old>', 'old', 'new', 'new'],
  ['search', '<input id=c name=c type=search value=old>', 'old', 'new', 'new'],
  ['tel', '<input id=c name=c type=tel value=1>', '1', 4915112345678, '4915112345678'],
  ['url', '<input id=c name=c type=url value=http://a/>', 'http://a/', 'http://b/', 'http://b/'],
  ['email', '<input id=c name=c type=email value=a@b.c>', 'a@b.c', 'd@e.f', 'd@e.f'],
  ['password', '<input id=c name=c type=password value=old>', 'old', 'new', 'new'],
  ['number', '<input id=c name=c type=number step=any value=1>', '1', 19999.99, '19999.99'],
  ['range', '<input id=c name=c type=range value=1>', '1', 7, '7', chosen],
  ['date', '<input id=c name=c type=date value=2026-01-01>', '2026-01-01', '2026-11-22', '2026-11-22', chosen],
  ['month', '<input id=c name=c type=month value=2026-01>', '2026-01', '2026-11', '2026-11', pickedIfKnown('month')],
  ['week', '<input id=c name=c type=week value=2026-W01>', '2026-W01', '2026-W47', '2026-W47', pickedIfKnown('week')],
  ['time', '<input id=c name=c type=time value=10:00>', '10:00', '18:30', '18:30', chosen],
  [
    'datetime-local',
    '<input id=c name=c type=datetime-local value=2026-01-01T10:00>',
    '2026-01-01T10:00',
    '2026-11-22T18:30',
    '2026-11-22T18:30',
    chosen,
  ],
  ['color', '<input id=c name=c type=color value=#123456>', '#123456', '#FF0000', '#ff0000', chosen],
  ['textarea', '<textarea id=c name=c>old</textarea>', 'old', 'new', 'new'],
  ['hidden', '<input id=c name=c type=hidden toolparamdescription=d value=old>', 'old', 'new', 'new', scripted],
  ['select', '<select id=c name=c><option>x<option>y</select>', 'x', 'y', 'y', chosen],
];

whereNotNative('a call that sets', () => {
  for (const [kind, html, before, value, after, events = typed] of kinds) {
    it(`${kind} fires the events of a user, then submit`, async () => {
      const form = placeTool(html);
      const log = trace(form);
      await call({ c: value });
      expect(log).to.deep.equal([...events('c', `c=${before}`, `c=${after}`), `submit: c=${after}`]);
    });

    it(`${kind} to its current value fires submit only`, async () => {
      const form = placeTool(html);
      const log = trace(form);
      await call({ c: before });
      expect(log).to.deep.equal([`submit: c=${before}`]);
    });

    it(`${kind}, with an invalid value elsewhere, fires the events of a user again to restore it`, async () => {
      const form = placeTool(`${html}<input id=z name=z required value=z>`);
      const log = trace(form);
      expect(await errorCodes(call({ c: value, z: '' }))).to.deep.equal(['z: value-missing']);
      expect(log).to.deep.equal([
        ...events('c', `c=${before}&z=z`, `c=${after}&z=z`),
        ...typed('z', `c=${after}&z=z`, `c=${after}&z=`),
        ...events('c', `c=${after}&z=`, `c=${before}&z=`),
        ...typed('z', `c=${before}&z=`, `c=${before}&z=z`),
      ]);
    });
  }

  for (const [kind, html, value, expected] of [
    ['a checkbox', '<input id=c name=c type=checkbox>', true, [...clicked('c', '', 'c=on'), 'submit: c=on']],
    [
      'a checked checkbox',
      '<input id=c name=c type=checkbox checked>',
      false,
      [...clicked('c', 'c=on', ''), 'submit: '],
    ],
    [
      'a checkbox that already has the state of the call',
      '<input id=c name=c type=checkbox checked>',
      true,
      ['submit: c=on'],
    ],
    ['a checkbox that stays unchecked', '<input id=c name=c type=checkbox>', false, ['submit: ']],
    [
      'checkboxes',
      `<input id=x name=c type=checkbox value=x checked><input id=y name=c type=checkbox value=y>
       <input id=z name=c type=checkbox value=z checked>`,
      ['y', 'z'],
      [...clicked('x', 'c=x&c=z', 'c=z'), ...clicked('y', 'c=z', 'c=y&c=z'), 'submit: c=y&c=z'],
    ],
    [
      'checkboxes that already have the state of the call',
      '<input id=x name=c type=checkbox value=x checked><input id=y name=c type=checkbox value=y>',
      ['x'],
      ['submit: c=x'],
    ],
    [
      'radio buttons',
      '<input id=x name=c type=radio value=x checked><input id=y name=c type=radio value=y>',
      'y',
      [...clicked('y', 'c=x', 'c=y'), 'submit: c=y'],
    ],
    [
      'radio buttons that already have the state of the call',
      '<input id=x name=c type=radio value=x checked><input id=y name=c type=radio value=y>',
      'x',
      ['submit: c=x'],
    ],
    [
      'a select of several',
      '<select id=c name=c multiple><option selected>x<option>y<option>z</select>',
      ['z', 'y'],
      [...chosen('c', 'c=x', 'c=y&c=z'), 'submit: c=y&c=z'],
    ],
    [
      'a multiple select with no option',
      '<select id=c name=c multiple><option selected>x<option>y</select>',
      [],
      [...chosen('c', 'c=x', ''), 'submit: '],
    ],
    [
      'a multiple select that already has the state of the call',
      '<select id=c name=c multiple><option selected>x<option>y</select>',
      ['x'],
      ['submit: c=x'],
    ],
  ] as [string, string, unknown, string[]][]) {
    it(`${kind} fires the events of a user`, async () => {
      const form = placeTool(html);
      const log = trace(form);
      await call({ c: value });
      expect(log).to.deep.equal(expected);
    });
  }

  it('nothing fires submit only', async () => {
    const form = placeTool('<input id=c name=c value=old><input id=d type=checkbox name=d checked>');
    const log = trace(form);
    await call({});
    expect(log).to.deep.equal(['submit: c=old&d=on']);
  });

  it('several controls fires events in tree order, only for those that change', async () => {
    const form = placeTool(
      '<input id=a name=a value=1><input id=b name=b value=2><select id=c name=c><option>3<option>4</select>',
    );
    const log = trace(form);
    await call({ c: '4', b: '2', a: 'x' });
    expect(log).to.deep.equal([
      ...typed('a', 'a=1&b=2&c=3', 'a=x&b=2&c=3'),
      ...chosen('c', 'a=x&b=2&c=3', 'a=x&b=2&c=4'),
      'submit: a=x&b=2&c=4',
    ]);
  });

  it('a control whose value another control clears sets the value again', async () => {
    const form = placeTool('<input id=a name=a><input id=b name=b>');
    const log = trace(form);
    field(form, 'b').addEventListener('change', () => (field(form, 'a').value = ''), { once: true });
    await call({ a: 'x', b: 'y' });
    expect(log).to.deep.equal([
      ...typed('a', 'a=&b=', 'a=x&b='),
      ...typed('b', 'a=x&b=', 'a=x&b=y').slice(0, -2),
      ...['blur b: a=&b=y', 'focusout b: a=&b=y'],
      ...typed('a', 'a=&b=y', 'a=x&b=y'),
      'submit: a=x&b=y',
    ]);
  });
});

whereNotNative('a rejected call', () => {
  /** A focused field outside of the form. */
  function focused(): HTMLInputElement {
    const input = place('<form><input></form>').elements[0] as HTMLInputElement;
    input.focus();
    return input;
  }

  for (const [code, html, value] of [
    ['value-missing', '<input id=c name=c required value=old>', ''],
    ['type-mismatch', '<input id=c name=c type=email value=a@b.c>', 'nobody'],
    ['pattern-mismatch', '<input id=c name=c pattern=[a-z]+ value=old>', '1'],
    ['too-long', '<input id=c name=c maxlength=3 value=old>', 'four'],
    ['too-short', '<input id=c name=c minlength=3 value=old>', 'x'],
    ['range-underflow', '<input id=c name=c type=number min=10 value=11>', 5],
    ['range-overflow', '<input id=c name=c type=number max=10 value=9>', 3000000000],
    ['step-mismatch', '<input id=c name=c type=number value=9>', 1.5],
  ] as [string, string, string | number][]) {
    it(`(${code}) fires no invalid event, does not move the focus, and fires the events of a user to restore the value`, async () => {
      const other = focused();
      const form = placeTool(html);
      const old = field(form, 'c').value;
      const log = trace(form);
      expect(await errorCodes(call({ c: value }))).to.deep.equal([`c: ${code}`]);
      expect(log).to.deep.equal([...typed('c', `c=${old}`, `c=${value}`), ...typed('c', `c=${value}`, `c=${old}`)]);
      expect(document.activeElement === other).to.equal(true);
    });
  }

  for (const [code, input] of [
    ['wrong-type', { c: { a: 1 } }],
    ['not-offered', { s: 'z' }],
    ['unknown-parameter', { c: 'old', x: 1 }],
    ['not-kept', { c: 'new', r: 101 }],
  ] as [string, object][]) {
    it(`(${code}) fires no event and does not move the focus`, async () => {
      const other = focused();
      const form = placeTool(
        '<input id=c name=c value=old><select id=s name=s><option>x</select><input id=r name=r type=range>',
      );
      const log = trace(form);
      expect((await rejection(call(input))).errors.map((error) => error.code)).to.deep.equal([code]);
      expect(log).to.deep.equal([]);
      expect(document.activeElement === other).to.equal(true);
    });
  }

  it('(unknown-parameter) fills the controls that may reveal the parameter, and fires the events of a user to restore it', async () => {
    const other = focused();
    const form = placeTool('<input id=c name=c value=old>');
    const log = trace(form);
    expect(await errorCodes(call({ c: 'new', x: 1 }))).to.deep.equal(['x: unknown-parameter']);
    expect(log).to.deep.equal([...typed('c', 'c=old', 'c=new'), ...typed('c', 'c=new', 'c=old')]);
    expect(document.activeElement === other).to.equal(true);
  });

  for (const [kind, html, value, there, back] of [
    [
      'a checkbox',
      '<input id=c name=c type=checkbox>',
      true,
      clicked('c', 'z=z', 'c=on&z=z'),
      clicked('c', 'c=on&z=', 'z='),
    ],
    [
      'radio buttons',
      '<input id=x name=c type=radio value=x checked><input id=y name=c type=radio value=y>',
      'y',
      clicked('y', 'c=x&z=z', 'c=y&z=z'),
      clicked('x', 'c=y&z=', 'c=x&z='),
    ],
    [
      'radio buttons of which none was chosen',
      '<input id=x name=c type=radio value=x><input id=y name=c type=radio value=y>',
      'y',
      clicked('y', 'z=z', 'c=y&z=z'),
      chosen('y', 'c=y&z=', 'z='),
    ],
    [
      'a select of several',
      '<select id=c name=c multiple><option selected>x<option>y</select>',
      ['y'],
      chosen('c', 'c=x&z=z', 'c=y&z=z'),
      chosen('c', 'c=y&z=', 'c=x&z='),
    ],
  ] as [string, string, unknown, string[], string[]][]) {
    it(`restores ${kind} with the events of a user`, async () => {
      const form = placeTool(`${html}<input id=z name=z required value=z>`);
      const before = held(form);
      const log = trace(form);
      expect(await errorCodes(call({ c: value, z: '' }))).to.deep.equal(['z: value-missing']);
      const [{ length: z }, from] = [typed('z', '', ''), before.replace('z=z', 'z=')];
      expect(log.slice(0, there.length)).to.deep.equal(there);
      expect(log.slice(there.length + z, there.length + z + back.length)).to.deep.equal(back);
      expect(log.slice(there.length + z + back.length)).to.deep.equal(typed('z', from, before));
    });
  }

  it('restores the values that the page derives from other values', async () => {
    const form = placeTool('<input name=n type=number value=2 max=9><output></output>');
    const output = form.querySelector('output') as HTMLOutputElement;
    const derive = () => (output.value = String(2 * Number((form.elements[0] as HTMLInputElement).value)));
    form.addEventListener('input', derive);
    derive();
    expect(await errorCodes(call({ n: 100 }))).to.deep.equal(['n: range-overflow']);
    expect(output.value).to.equal('4');
  });
});

whereNotNative('a call that waits for the user', () => {
  it('fires events for the controls, focuses the button, and the click fires submit', async () => {
    const form = placeTool('<input id=c name=c><button id=go>Go</button>', '');
    const log = trace(form);
    const awaitUserEvent = new Promise((resolve) =>
      form.addEventListener('webmcp-await-user', resolve, { once: true }),
    );
    const result = call({ c: 'x' });
    await awaitUserEvent;
    expect(document.activeElement?.id).to.equal('go');
    const button = field(form, 'go');
    button.click();
    await result;
    expect(log.filter((entry) => !/^(?:focus|focusin) go/.test(entry))).to.deep.equal([
      ...typed('c', 'c=', 'c=x'),
      ...['click go: c=x', 'submit: c=x'],
    ]);
  });
});

whereNotNative('a page that edits a field itself on beforeinput', () => {
  for (const controls of ['<input name=a value=99>', '<textarea name=a>99</textarea>']) {
    it(`replaces the old text by the text of the call, and has the old text after a rejected call: ${controls}`, async () => {
      live();
      const form = placeTool(`${controls}<input name=b pattern=x>`);
      const control = form.elements.namedItem('a') as HTMLInputElement;
      control.addEventListener('beforeinput', (event) => {
        event.preventDefault();
        const { value, selectionStart, selectionEnd } = control;
        const text = value.slice(0, selectionStart ?? 0) + (event.data ?? '') + value.slice(selectionEnd ?? 0);
        control.value = text.replace(/\D/g, '').replace(/(\d{2})(?=\d)/g, '$1-');
        control.dispatchEvent(new Event('input', { bubbles: true }));
      });
      answerEntries(form);
      expect(await errorCodes(call({ a: '123456', b: 'y' }))).to.deep.equal(['b: pattern-mismatch']);
      expect(control.value).to.equal('99');
      expect(await call({ a: '123456' })).to.include('12-34-56');
    });
  }

  it('can refuse an edit, which leaves the selection unchanged', async () => {
    live();
    const form = placeTool('<input name=a value=fixed>');
    const control = form.elements.namedItem('a') as HTMLInputElement;
    control.setSelectionRange(1, 3);
    control.addEventListener('beforeinput', (event) => event.preventDefault());
    expect(await errorCodes(call({ a: 'new' }))).to.deep.equal(['a: not-kept']);
    expect([control.value, control.selectionStart, control.selectionEnd]).to.deep.equal(['fixed', 1, 3]);
  });
});
