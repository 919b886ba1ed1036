import { expect } from '@open-wc/testing';
import { call, errorCodes, live, place, placeTool, rejection, whereNotNative } from './live.js';

const types = ['input', 'change', 'beforeinput', 'click', 'keydown', 'focus', 'blur', 'invalid', 'submit', 'reset'];

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

const textLike: readonly (readonly [kind: string, html: string, before: string, value: unknown, after: string])[] = [
  ['text', '<input id=c name=c value=old>', 'old', 'new', 'new'],
  ['search', '<input id=c name=c type=search value=old>', 'old', 'new', 'new'],
  ['tel', '<input id=c name=c type=tel value=1>', '1', 4915112345678, '4915112345678'],
  ['url', '<input id=c name=c type=url value=http://a/>', 'http://a/', 'http://b/', 'http://b/'],
  ['email', '<input id=c name=c type=email value=a@b.c>', 'a@b.c', 'd@e.f', 'd@e.f'],
  ['password', '<input id=c name=c type=password value=old>', 'old', 'new', 'new'],
  ['number', '<input id=c name=c type=number step=any value=1>', '1', 19999.99, '19999.99'],
  ['range', '<input id=c name=c type=range value=1>', '1', 7, '7'],
  ['date', '<input id=c name=c type=date value=2026-01-01>', '2026-01-01', '2026-11-22', '2026-11-22'],
  ['month', '<input id=c name=c type=month value=2026-01>', '2026-01', '2026-11', '2026-11'],
  ['week', '<input id=c name=c type=week value=2026-W01>', '2026-W01', '2026-W47', '2026-W47'],
  ['time', '<input id=c name=c type=time value=10:00>', '10:00', '18:30', '18:30'],
  [
    'datetime-local',
    '<input id=c name=c type=datetime-local value=2026-01-01T10:00>',
    '2026-01-01T10:00',
    '2026-11-22T18:30',
    '2026-11-22T18:30',
  ],
  ['color', '<input id=c name=c type=color value=#123456>', '#123456', '#FF0000', '#ff0000'],
  ['textarea', '<textarea id=c name=c>old</textarea>', 'old', 'new', 'new'],
  ['hidden', '<input id=c name=c type=hidden toolparamdescription=d value=old>', 'old', 'new', 'new'],
  ['select', '<select id=c name=c><option>x<option>y</select>', 'x', 'y', 'y'],
];

whereNotNative('a call that sets', () => {
  for (const [kind, html, before, value, after] of textLike) {
    it(`${kind} fires input, change and submit after the value is set`, async () => {
      const form = placeTool(html);
      const log = trace(form);
      await call({ c: value });
      expect(log).to.deep.equal([`input c: c=${after}`, `change c: c=${after}`, `submit: c=${after}`]);
    });

    it(`${kind} to its current value fires submit only`, async () => {
      const form = placeTool(html);
      const log = trace(form);
      await call({ c: before });
      expect(log).to.deep.equal([`submit: c=${before}`]);
    });

    it(`${kind}, with an invalid value elsewhere, fires input and change again to restore it`, async () => {
      const form = placeTool(`${html}<input id=z name=z required value=z>`);
      const log = trace(form);
      expect(await errorCodes(call({ c: value, z: '' }))).to.deep.equal(['z: value-missing']);
      expect(log).to.deep.equal([
        ...[`input c: c=${after}&z=z`, `change c: c=${after}&z=z`, `input z: c=${after}&z=`, `change z: c=${after}&z=`],
        ...[`input c: c=${before}&z=`, `change c: c=${before}&z=`, `input z: c=${before}&z=z`],
        `change z: c=${before}&z=z`,
      ]);
    });
  }

  for (const [kind, html, value, expected] of [
    [
      'a checkbox',
      '<input id=c name=c type=checkbox>',
      true,
      ['click c: c=on', 'input c: c=on', 'change c: c=on', 'submit: c=on'],
    ],
    [
      'a checked checkbox',
      '<input id=c name=c type=checkbox checked>',
      false,
      ['click c: ', 'input c: ', 'change c: ', 'submit: '],
    ],
    [
      'a checkbox that is as it is awaitUserEvent for',
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
      [
        ...['click x: c=z', 'input x: c=z', 'change x: c=z'],
        ...['click y: c=y&c=z', 'input y: c=y&c=z', 'change y: c=y&c=z', 'submit: c=y&c=z'],
      ],
    ],
    [
      'checkboxes that are as they are awaitUserEvent for',
      '<input id=x name=c type=checkbox value=x checked><input id=y name=c type=checkbox value=y>',
      ['x'],
      ['submit: c=x'],
    ],
    [
      'radio buttons',
      '<input id=x name=c type=radio value=x checked><input id=y name=c type=radio value=y>',
      'y',
      ['click y: c=y', 'input y: c=y', 'change y: c=y', 'submit: c=y'],
    ],
    [
      'radio buttons that are as they are awaitUserEvent for',
      '<input id=x name=c type=radio value=x checked><input id=y name=c type=radio value=y>',
      'x',
      ['submit: c=x'],
    ],
    [
      'a select of several',
      '<select id=c name=c multiple><option selected>x<option>y<option>z</select>',
      ['z', 'y'],
      ['input c: c=y&c=z', 'change c: c=y&c=z', 'submit: c=y&c=z'],
    ],
    [
      'a select of several with nothing',
      '<select id=c name=c multiple><option selected>x<option>y</select>',
      [],
      ['input c: ', 'change c: ', 'submit: '],
    ],
    [
      'a select of several that is as it is awaitUserEvent for',
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
      ...['input a: a=x&b=2&c=3', 'change a: a=x&b=2&c=3', 'input c: a=x&b=2&c=4', 'change c: a=x&b=2&c=4'],
      'submit: a=x&b=2&c=4',
    ]);
  });

  it('a control that another one clears sets it again', async () => {
    const form = placeTool('<input id=a name=a><input id=b name=b>');
    const log = trace(form);
    field(form, 'b').addEventListener('change', () => (field(form, 'a').value = ''), { once: true });
    await call({ a: 'x', b: 'y' });
    expect(log).to.deep.equal([
      ...['input a: a=x&b=', 'change a: a=x&b=', 'input b: a=x&b=y', 'change b: a=x&b=y'],
      ...['input a: a=x&b=y', 'change a: a=x&b=y', 'submit: a=x&b=y'],
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
    it(`(${code}) fires no invalid event, does not move the focus, and fires input and change to restore the value`, async () => {
      const other = focused();
      const form = placeTool(html);
      const old = field(form, 'c').value;
      const log = trace(form);
      expect(await errorCodes(call({ c: value }))).to.deep.equal([`c: ${code}`]);
      expect(log).to.deep.equal([
        ...[`input c: c=${value}`, `change c: c=${value}`, `input c: c=${old}`, `change c: c=${old}`],
      ]);
      expect(document.activeElement === other).to.equal(true);
    });
  }

  for (const [code, input] of [
    ['wrong-type', { c: { a: 1 } }],
    ['not-offered', { s: 'z' }],
    ['unknown-parameter', { c: 'new', x: 1 }],
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

  for (const [kind, html, value, there, back] of [
    [
      'a checkbox',
      '<input id=c name=c type=checkbox>',
      true,
      ['click c: c=on&z=z', 'input c: c=on&z=z', 'change c: c=on&z=z'],
      ['click c: z=', 'input c: z=', 'change c: z='],
    ],
    [
      'radio buttons',
      '<input id=x name=c type=radio value=x checked><input id=y name=c type=radio value=y>',
      'y',
      ['click y: c=y&z=z', 'input y: c=y&z=z', 'change y: c=y&z=z'],
      ['click x: c=x&z=', 'input x: c=x&z=', 'change x: c=x&z='],
    ],
    [
      'radio buttons of which none was chosen',
      '<input id=x name=c type=radio value=x><input id=y name=c type=radio value=y>',
      'y',
      ['click y: c=y&z=z', 'input y: c=y&z=z', 'change y: c=y&z=z'],
      ['input y: z=', 'change y: z='],
    ],
    [
      'a select of several',
      '<select id=c name=c multiple><option selected>x<option>y</select>',
      ['y'],
      ['input c: c=y&z=z', 'change c: c=y&z=z'],
      ['input c: c=x&z=', 'change c: c=x&z='],
    ],
  ] as [string, string, unknown, string[], string[]][]) {
    it(`restores ${kind} with the events of a user`, async () => {
      const form = placeTool(`${html}<input id=z name=z required value=z>`);
      const before = held(form);
      const log = trace(form);
      expect(await errorCodes(call({ c: value, z: '' }))).to.deep.equal(['z: value-missing']);
      expect(log.slice(0, there.length)).to.deep.equal(there);
      expect(log.slice(there.length + 2, there.length + 2 + back.length)).to.deep.equal(back);
      expect(log.slice(there.length + 2 + back.length)).to.deep.equal([`input z: ${before}`, `change z: ${before}`]);
    });
  }

  it('restores what the page derives from the values', async () => {
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
    const apartFromFocus = log.filter((entry) => !entry.startsWith('focus') && !entry.startsWith('blur'));
    expect(apartFromFocus).to.deep.equal(['input c: c=x', 'change c: c=x', 'click go: c=x', 'submit: c=x']);
  });
});
