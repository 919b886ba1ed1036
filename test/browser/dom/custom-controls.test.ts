import { expect } from '@open-wc/testing';
import { registerForms, type JsonSchema } from '../../../src/index.js';
import '../frameworks/webawesome-components.js';
import type { Component } from '../frameworks/webawesome.js';
import {
  afterTest,
  answerEntries,
  call,
  errorCodes,
  host,
  live,
  place,
  placeTool,
  rejection,
  tool,
  whereNotNative,
} from '../../support/browser/live.js';

interface Internals extends ElementInternals {
  setToolParamSchema(schema: string | null): void;
}

/** A control without a schema. */
class Silent extends HTMLElement {
  static readonly formAssociated = true;
  readonly internals = this.attachInternals() as Internals;
}
customElements.define('x-silent', Silent);

/** A control whose `value` is submitted. */
class Field extends Silent {
  #value = '';
  get value(): string {
    return this.#value;
  }
  set value(value: string) {
    this.#value = value;
    this.internals.setFormValue(value);
  }
}
customElements.define('x-field', Field);

class Toggle extends Silent {
  #checked = false;
  get checked(): boolean {
    return this.#checked;
  }
  set checked(checked: boolean) {
    this.#checked = checked;
    this.internals.setFormValue(checked ? 'on' : null);
  }
}
customElements.define('x-toggle', Toggle);

class Tags extends Silent {
  #value: readonly string[] = ['first'];
  get value(): readonly string[] {
    return this.#value;
  }
  set value(value: readonly string[]) {
    this.#value = value;
    this.internals.setFormValue(value.join('+'));
  }
}
customElements.define('x-tags', Tags);

/** A control with a `toolFillCallback`. */
class SelfFilling extends Silent {
  readonly received: string[] = [];
  toolFillCallback(json: string): void {
    this.received.push(json);
    this.internals.setFormValue(json);
  }
}
customElements.define('x-filled', SelfFilling);

/** A control that accepts small values only, with the validity API of built-in controls. */
class Small extends Field {
  override get value(): string {
    return super.value;
  }
  override set value(value: string) {
    super.value = value;
    if (Number(value) > 9) this.internals.setValidity({ rangeOverflow: true }, 'Too much.');
    else this.internals.setValidity({});
  }
  get validity(): ValidityState {
    return this.internals.validity;
  }
  get validationMessage(): string {
    return this.internals.validationMessage;
  }
}
customElements.define('x-small', Small);

/** The same control without the validity API. */
class Secretive extends Field {
  override get value(): string {
    return super.value;
  }
  override set value(value: string) {
    super.value = value;
    this.internals.setValidity({ customError: value !== '' }, 'Not this.');
  }
}
customElements.define('x-secretive', Secretive);

class Empty extends Silent {
  value: string | null = null;
}
customElements.define('x-empty', Empty);

class Failing extends Silent {
  toolFillCallback(): void {
    throw new Error('out of order');
  }
}
customElements.define('x-failing', Failing);

class Upper extends Field {
  override get value(): string {
    return super.value;
  }
  override set value(value: string) {
    super.value = value.toUpperCase();
  }
}
customElements.define('x-upper', Upper);

customElements.define(
  'x-plain',
  class extends HTMLElement {
    value = '';
  },
);

const properties = async (): Promise<Readonly<Record<string, JsonSchema>>> =>
  ((await tool()).inputSchema as { properties?: Record<string, JsonSchema> }).properties ?? {};

const control = <Element extends HTMLElement = Silent>(form: HTMLFormElement, name = 'a'): Element =>
  form.parentElement?.querySelector(`[name=${name}]`) as Element;

const changed = (): Promise<Event> =>
  new Promise((resolve) => document.modelContext.addEventListener('toolchange', resolve, { once: true }));

const startPrecise = (): AbortController => live({ profile: 'precise' });

/** Logs the types of the events at a form. */
function recordEvents(form: HTMLFormElement): string[] {
  const events: string[] = [];
  for (const type of ['input', 'change']) {
    form.addEventListener(type, ({ target }) => events.push(`${(target as Element).getAttribute('name')} ${type}`));
  }
  return events;
}

whereNotNative('setToolParamSchema of ElementInternals', () => {
  it('makes a control a parameter with the schema and fires toolchange, until it is called with null', async () => {
    startPrecise();
    const { internals } = control(placeTool('<label>L <x-silent name=a></x-silent></label>'));
    expect(await properties()).to.deep.equal({});
    for (const [schema, expected] of [
      ['{"type":"integer"}', { a: { type: 'integer', description: 'L' } }],
      ['{"enum":[1,2],"description":"Own"}', { a: { enum: [1, 2], description: 'L' } }],
      [null, {}],
    ] as const) {
      const change = changed();
      internals.setToolParamSchema(schema);
      await change;
      expect(await properties()).to.deep.equal(expected);
    }
  });

  for (const schema of ['', 'none', '{"type":"integer",}', '[]', '"text"', '7', 'null']) {
    it(`excludes the control from the parameters with ${schema || 'the empty string'}`, async () => {
      startPrecise();
      const { internals } = control(placeTool('<x-silent name=a></x-silent>'));
      internals.setToolParamSchema('{"type":"integer"}');
      expect(Object.keys(await properties())).to.deep.equal(['a']);
      internals.setToolParamSchema(schema);
      expect(await properties()).to.deep.equal({});
    });
  }

  it("takes precedence over the types of the control's members", async () => {
    startPrecise();
    const form = placeTool('<x-field name=a></x-field><x-field name=b></x-field>');
    control(form).internals.setToolParamSchema('{"type":"string","maxLength":3}');
    expect(await properties()).to.deep.equal({ a: { type: 'string', maxLength: 3 }, b: { type: 'string' } });
  });

  it('is a method of ElementInternals with one argument', () => {
    startPrecise();
    const setToolParamSchema = Reflect.get(ElementInternals.prototype, 'setToolParamSchema') as () => void;
    expect([setToolParamSchema.name, setToolParamSchema.length]).to.deep.equal(['setToolParamSchema', 1]);
    for (const target of [undefined, {}, ElementInternals.prototype]) {
      expect(() => void Reflect.apply(setToolParamSchema, target, ['{}'])).to.throw(TypeError);
    }
  });

  it('works for a control that existed before the forms were registered', async () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    afterTest(() => frame.remove());
    await new Promise((resolve) => setTimeout(resolve));
    const { contentWindow: window, contentDocument: page } = frame as {
      contentWindow: Window;
      contentDocument: Document;
    };
    (window as typeof globalThis & Window).eval(`customElements.define('x-early', class extends HTMLElement {
      static formAssociated = true;
      internals = this.attachInternals();
    })`);
    page.body.innerHTML = '<form toolname=t tooldescription toolautosubmit><x-early name=a></x-early></form>';
    const controller = new AbortController();
    afterTest(() => controller.abort());
    registerForms(page, { host, profile: 'precise', signal: controller.signal });
    const { internals } = page.querySelector('x-early') as Silent;
    expect(() => internals.setToolParamSchema('{"type":"integer"}')).not.to.throw();
  });
});

whereNotNative('a form-associated custom element in the profile precise', () => {
  it('is a parameter with toolparamschema, which may change', async () => {
    startPrecise();
    const form = placeTool(`<x-silent name=a toolparamschema='{"type":"integer"}'></x-silent>`);
    expect(await properties()).to.deep.equal({ a: { type: 'integer' } });
    for (const [schema, expected] of [
      ['{"type":"boolean"}', { a: { type: 'boolean' } }],
      ['{"type":"boolean",}', {}],
    ] as const) {
      const change = changed();
      control(form).setAttribute('toolparamschema', schema);
      await change;
      expect(await properties()).to.deep.equal(expected);
    }
  });

  it('has the type of its members by default', async () => {
    startPrecise();
    placeTool(`<x-field name=a></x-field><x-toggle name=b></x-toggle><x-tags name=c></x-tags><x-silent name=d></x-silent>
      <x-plain name=e></x-plain><x-unknown name=f></x-unknown><x-field></x-field>`);
    expect(await properties()).to.deep.equal({
      a: { type: 'string' },
      b: { type: 'boolean' },
      c: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    });
  });

  it('is a string if its value is null while it is empty', async () => {
    startPrecise();
    placeTool('<x-empty name=a></x-empty>');
    expect(await properties()).to.deep.equal({ a: { type: 'string' } });
  });

  for (const [what, html] of [
    ['the label around it', '<label>L <x-field name=a></x-field></label>'],
    ['the label that names it', '<x-field id=x name=a></x-field><label for=x>L</label>'],
    ['its ARIA name', '<x-field name=a aria-label=L></x-field>'],
    ['its annotation', '<label>Other <x-field name=a toolparamdescription=L></x-field></label>'],
    ['its own data annotation', '<x-field name=a data-toolparamdescription=L></x-field>'],
  ] as const) {
    it(`is described by ${what}`, async () => {
      startPrecise();
      placeTool(html);
      expect(await properties()).to.deep.equal({ a: { type: 'string', description: 'L' } });
    });
  }

  for (const [what, html] of [
    ['the element', '<x-field name=a disabled></x-field>'],
    ['its fieldset', '<fieldset disabled><x-field name=a></x-field></fieldset>'],
  ] as const) {
    it(`is not a parameter while ${what} is disabled`, async () => {
      startPrecise();
      const form = placeTool(html);
      expect(await properties()).to.deep.equal({});
      expect(await errorCodes(call({ a: 'x' }))).to.deep.equal(['a: unknown-parameter']);
      form.querySelector('[disabled]')?.removeAttribute('disabled');
      expect(Object.keys(await properties())).to.deep.equal(['a']);
    });
  }

  it('belongs to the form that its form attribute names', async () => {
    startPrecise();
    const form = placeTool('', 'toolautosubmit id=f');
    form.insertAdjacentHTML('afterend', '<x-field name=a form=f></x-field>');
    answerEntries(form);
    expect(Object.keys(await properties())).to.deep.equal(['a']);
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
  });

  it('becomes a parameter when it is defined', async () => {
    startPrecise();
    const form = placeTool('<x-late name=a></x-late>');
    answerEntries(form);
    expect(await properties()).to.deep.equal({});
    const change = changed();
    customElements.define('x-late', class extends Field {});
    await change;
    expect(await properties()).to.deep.equal({ a: { type: 'string' } });
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
  });

  it('becomes a parameter when it is defined outside of its form', async () => {
    startPrecise();
    const form = placeTool('', 'toolautosubmit id=f');
    form.insertAdjacentHTML('afterend', '<x-late-outside name=a form=f></x-late-outside>');
    expect(await properties()).to.deep.equal({});
    customElements.define('x-late-outside', class extends Field {});
    expect(await properties()).to.deep.equal({ a: { type: 'string' } });
  });

  it('is not a parameter in the profile chromium', async () => {
    live();
    const form = placeTool(`<x-field name=a></x-field><x-silent name=b toolparamschema='{"type":"integer"}'></x-silent>
      <x-silent name=c></x-silent><input name=d>`);
    control(form, 'c').internals.setToolParamSchema('{"type":"integer"}');
    expect(Object.keys(await properties())).to.deep.equal(['d']);
    expect(await errorCodes(call({ a: 'x', d: 'y' }))).to.deep.equal(['a: unknown-parameter']);
  });
});

whereNotNative('a call of a form with a form-associated custom element', () => {
  it('sets the value of the element with the events of a user if the value changes', async () => {
    startPrecise();
    const form = placeTool('<x-field name=a></x-field><x-field name=b></x-field><x-toggle name=c></x-toggle>');
    control<Field>(form, 'b').value = 'same';
    const events = recordEvents(form);
    answerEntries(form);
    expect(await call({ a: 'x', b: 'same', c: true })).to.equal('[["a","x"],["b","same"],["c","on"]]');
    expect(events).to.deep.equal(['a input', 'a change', 'c input', 'c change']);
  });

  for (const [what, html, value, sent] of [
    ['a string', '<x-field name=a></x-field>', 'x', 'x'],
    ['a number', `<x-field name=a toolparamschema='{"type":"number"}'></x-field>`, 12.5, '12.5'],
    ['a boolean', '<x-toggle name=a></x-toggle>', true, 'on'],
    ['a list', '<x-tags name=a></x-tags>', ['x', 'y'], 'x+y'],
    ['an empty list', '<x-tags name=a></x-tags>', [], ''],
  ] as const) {
    it(`sets ${what}`, async () => {
      startPrecise();
      answerEntries(placeTool(html));
      expect(await call({ a: value })).to.equal(JSON.stringify([['a', sent]]));
    });
  }

  for (const value of ['x', 12.5, true, null, [1, 'b'], { from: { day: 1 } }]) {
    it(`calls its toolFillCallback with the JSON text of ${JSON.stringify(value)}`, async () => {
      startPrecise();
      const form = placeTool('<x-filled name=a toolparamschema={}></x-filled>');
      const events = recordEvents(form);
      answerEntries(form);
      expect(await call({ a: value })).to.equal(JSON.stringify([['a', JSON.stringify(value)]]));
      expect(control<SelfFilling>(form).received).to.deep.equal([JSON.stringify(value)]);
      expect(events).to.deep.equal([]);
      await call({ a: value });
      expect(control<SelfFilling>(form).received.length).to.equal(2);
    });
  }

  it('reports a value that the element does not accept, and restores the element', async () => {
    startPrecise();
    const form = placeTool('<x-field name=a></x-field><x-upper name=b></x-upper>');
    control<Upper>(form, 'b').value = 'OLD';
    expect(await errorCodes(call({ a: 'x', b: 'new' }))).to.deep.equal(['b: not-kept']);
    expect([...new FormData(form)]).to.deep.equal([
      ['a', ''],
      ['b', 'OLD'],
    ]);
  });

  it('restores the element with the events of a user if another control is invalid', async () => {
    startPrecise();
    const form = placeTool(`<x-field name=a></x-field><x-toggle name=b></x-toggle><x-tags name=c></x-tags>
      <x-field name=e></x-field><input name=d type=number max=3>`);
    control<Field>(form).value = 'old';
    control<Field>(form, 'e').value = 'same';
    const state: Record<string, unknown> = {};
    form.addEventListener('input', ({ target }) => {
      const { value, checked } = target as unknown as { value?: unknown; checked?: boolean };
      if (target instanceof Silent) state[target.getAttribute('name') as string] = checked ?? value;
    });
    expect(await errorCodes(call({ a: 'new', b: true, c: ['x'], d: 4, e: 'same' }))).to.deep.equal([
      'd: range-overflow',
    ]);
    expect([
      control<Field>(form).value,
      control<Toggle>(form, 'b').checked,
      control<Tags>(form, 'c').value,
    ]).to.deep.equal(['old', false, ['first']]);
    expect(state).to.deep.equal({ a: 'old', b: false, c: ['first'] });
  });

  it('reports the element that throws, and restores the others', async () => {
    startPrecise();
    const form = placeTool(`<input name=a value=old><x-failing name=b toolparamschema={}></x-failing>`);
    const { name, errors } = await rejection(call({ a: 'new', b: 1 }));
    expect([name, (errors as typeof errors | undefined)?.[0]?.parameter]).to.deep.equal(['UnknownError', 'b']);
    expect([...new FormData(form)]).to.deep.equal([['a', 'old']]);
  });

  it("reports the element's own constraint violation with its message", async () => {
    startPrecise();
    const form = placeTool('<x-small name=a></x-small><x-secretive name=b></x-secretive>');
    const error = await rejection(call({ a: '10', b: 'x' }));
    expect(error.errors.map(({ parameter, code, message }) => [parameter, code, message])).to.deep.equal([
      ['a', 'range-overflow', 'Parameter "a" is invalid: Too much. It must be a value of type string.'],
      ['b', 'custom-error', 'Parameter "b" is invalid: The value is invalid. It must be a value of type string.'],
    ]);
    expect(control<Field>(form).value).to.equal('');
    expect(form.checkValidity()).to.equal(true);
    expect(await call({ a: '9' })).to.equal(null);
  });

  for (const [what, html, value] of [
    ['text for a boolean', '<x-toggle name=a></x-toggle>', 'perhaps'],
    ['an object for text', '<x-field name=a></x-field>', { a: 1 }],
    ['text for a list', '<x-tags name=a></x-tags>', 'x'],
  ] as const) {
    it(`rejects ${what} before it changes anything`, async () => {
      startPrecise();
      const form = placeTool(`<input name=first>${html}`);
      const events = recordEvents(form);
      expect(await errorCodes(call({ first: 'x', a: value }))).to.deep.equal(['a: wrong-type']);
      expect(events).to.deep.equal([]);
    });
  }
});

whereNotNative('a form with Web Awesome components', () => {
  const page = `<wa-input name=text toolparamschema='{"type":"string"}'></wa-input>
    <wa-input name=number type=number toolparamschema='{"type":"number"}'></wa-input>
    <wa-textarea name=area toolparamschema='{"type":"string"}'></wa-textarea>
    <wa-checkbox name=box>Box</wa-checkbox>
    <wa-radio-group name=radio toolparamschema='{"enum":["a","b"]}'>
      <wa-radio value=a>a</wa-radio><wa-radio value=b>b</wa-radio>
    </wa-radio-group>
    <wa-select name=select toolparamschema='{"enum":["x","y"]}'>
      <wa-option value=x>x</wa-option><wa-option value=y>y</wa-option>
    </wa-select>
    <wa-select name=many multiple toolparamschema='{"type":"array"}'>
      <wa-option value=1>1</wa-option><wa-option value=2>2</wa-option><wa-option value=3>3</wa-option>
    </wa-select>
    <button>Send</button>`;
  const names = ['text', 'number', 'area', 'box', 'radio', 'select', 'many'];

  async function placeComponents(): Promise<HTMLFormElement> {
    const form = place(`<form toolname=t tooldescription=d toolautosubmit>${page}</form>`);
    for (const name of names) await control<Component>(form, name).updateComplete;
    answerEntries(form);
    return form;
  }

  it('has a parameter for every component', async () => {
    startPrecise();
    await placeComponents();
    expect(Object.keys(await properties())).to.deep.equal(names);
    expect((await properties()).box?.type).to.equal('boolean');
  });

  it('has a parameter for a component without annotations', async () => {
    startPrecise();
    const form = placeTool('<wa-input name=a label=L></wa-input>');
    await control<Component>(form).updateComplete;
    expect((await properties()).a?.type).to.equal('string');
  });

  it('is submitted with the values of a call', async () => {
    startPrecise();
    await placeComponents();
    const input = { text: 'x', number: 12, area: '1\n2', box: true, radio: 'b', select: 'y', many: ['1', '3'] };
    expect(JSON.parse((await call(input)) as string)).to.deep.equal([
      ['text', 'x'],
      ['number', '12'],
      ['area', '1\n2'],
      ['box', 'on'],
      ['radio', 'b'],
      ['select', 'y'],
      ['many', '1'],
      ['many', '3'],
    ]);
  });

  it('is restored if a component is invalid', async () => {
    startPrecise();
    const form = await placeComponents();
    control(form, 'text').setAttribute('required', '');
    await control<Component>(form, 'text').updateComplete;
    const before = [...new FormData(form)];
    const input = { text: '', number: 12, area: 'x', box: true, radio: 'b', select: 'y', many: ['1'] };
    expect(await errorCodes(call(input))).to.deep.equal(['text: value-missing']);
    for (const name of names) await control<Component>(form, name).updateComplete;
    expect([...new FormData(form)]).to.deep.equal(before);
  });
});
