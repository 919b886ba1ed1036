import { expect } from '@open-wc/testing';
import type { JsonSchema } from '../../../src/json-schema.js';
import {
  afterTest,
  answerEntries,
  call,
  errorCodes,
  live,
  placeTool,
  rejection,
  task,
  tool,
  waitUntil,
  whereNotNative,
} from '../../support/browser/live.js';

const schema = async (): Promise<JsonSchema> => (await tool()).inputSchema as JsonSchema;

const kinds =
  '<select name=kind><option value="">Choose<option value=person>Person<option value=company>Company</select>';

/** Adds a form whose script runs when the kind is chosen. */
function placeReacting(controls: string, react: (form: HTMLFormElement, kind: string) => void, attributes?: string) {
  const form = placeTool(kinds + controls, attributes);
  const select = form.elements.namedItem('kind') as HTMLSelectElement;
  select.addEventListener('change', () => react(form, select.value));
  answerEntries(form);
  return form;
}

const vat = '<label class=vat>VAT number <input name=vat required pattern="[A-Z]{2}[0-9]+"></label>';

/** Ways in which pages show a field for companies. */
type Reveal = readonly [controls: string, react: (form: HTMLFormElement, kind: string) => void];
const reveals: Readonly<Record<string, Reveal>> = {
  'enables a fieldset': [
    `<fieldset disabled>${vat}</fieldset>`,
    (form, kind) => ((form.querySelector('fieldset') as HTMLFieldSetElement).disabled = kind !== 'company'),
  ],
  'enables the field': [
    vat.replace('required', 'required disabled'),
    (form, kind) => ((form.querySelector('.vat input') as HTMLInputElement).disabled = kind !== 'company'),
  ],
  'inserts it': [
    '',
    (form, kind) => {
      form.querySelector('.vat')?.remove();
      if (kind === 'company') form.insertAdjacentHTML('beforeend', vat);
    },
  ],
  'inserts it after a while': [
    '',
    (form, kind) =>
      void setTimeout(() => {
        form.querySelector('.vat')?.remove();
        if (kind === 'company') form.insertAdjacentHTML('beforeend', vat);
      }, 120),
  ],
  'renders all fields again': [
    '<div class=rest><input name=note></div>',
    (form, kind) => {
      const rest = form.querySelector('.rest') as HTMLElement;
      rest.innerHTML = `<input name=note>${kind === 'company' ? vat : ''}`;
    },
  ],
};

whereNotNative('a field that a choice reveals', () => {
  for (const [how, [controls, react]] of Object.entries(reveals)) {
    for (const profile of ['chromium', 'precise'] as const) {
      it(`is filled in the same call if the page ${how}, with the profile ${profile}`, async () => {
        live({ profile });
        placeReacting(controls, react);
        const entries = JSON.parse((await call({ vat: 'DE1', kind: 'company' })) as string) as [string, string][];
        expect(entries.filter(([name]) => name !== 'note')).to.deep.equal([
          ['kind', 'company'],
          ['vat', 'DE1'],
        ]);
      });
    }

    it(`is reported with its schema if the page ${how}, and is an optional parameter from then on`, async () => {
      live({ profile: 'precise' }, { optionsTimeoutMs: 300 });
      const form = placeReacting(controls, react);
      expect(Object.keys((await schema()).properties ?? {})).not.to.include('vat');
      const isAsync = how.includes('while');
      const input = isAsync ? { kind: 'company', vat: '1' } : { kind: 'company' };
      const { errors } = await rejection(call(input));
      expect(errors.map(({ parameter, code }) => [parameter, code])).to.deep.equal([
        ['vat', isAsync ? 'pattern-mismatch' : 'value-missing'],
      ]);
      expect(errors[0]?.expected).to.include({ type: 'string', description: 'VAT number' });
      await waitUntil(() => (form.elements.namedItem('kind') as HTMLSelectElement).value === '');
      await waitUntil(() => !form.querySelector('.vat:not(fieldset:disabled *) :enabled'));
      const { properties, required } = await schema();
      expect(properties?.['vat']?.description).to.equal('VAT number Only if kind is "company".');
      expect(required).not.to.include('vat');
      expect(await call({ kind: 'company', vat: 'DE1' })).to.include('DE1');
    });
  }

  it('can reveal another field', async () => {
    live();
    const form = placeTool('<input type=checkbox name=a>');
    form.addEventListener('change', ({ target }) => {
      const { name } = target as HTMLInputElement;
      const next = { a: 'b', b: 'c', c: 'd' }[name];
      if (next && !form.elements.namedItem(next)) form.insertAdjacentHTML('beforeend', `<input name=${next}>`);
    });
    answerEntries(form);
    expect(await call({ d: '4', c: '3', b: '2', a: true })).to.equal('[["a","on"],["b","2"],["c","3"],["d","4"]]');
  });

  it('is rejected with the condition under which it appears, once the condition is known', async () => {
    live({ profile: 'precise' }, { optionsTimeoutMs: 100 });
    const [controls, react] = reveals['enables a fieldset'] as Reveal;
    placeReacting(controls, react);
    await rejection(call({ kind: 'company' }));
    const { errors } = await rejection(call({ kind: 'person', vat: 'DE1' }));
    expect(errors.map(({ parameter, code, message }) => [parameter, code, message])).to.deep.equal([
      ['vat', 'unknown-parameter', 'Parameter "vat" does not appear with this input. Only if kind is "company".'],
    ]);
    expect(errors[0]?.expected).to.include({ type: 'string' });
  });

  it('dispatches toolchange when it becomes a parameter', async () => {
    live({ profile: 'precise' });
    const [controls, react] = reveals['enables a fieldset'] as Reveal;
    placeReacting(controls, react);
    await tool();
    let count = 0;
    const onChange = (): void => void count++;
    document.modelContext.addEventListener('toolchange', onChange);
    afterTest(() => document.modelContext.removeEventListener('toolchange', onChange));
    await rejection(call({ kind: 'company' }));
    await waitUntil(() => count > 0);
    expect((await schema()).properties).to.have.property('vat');
  });

  it('is restored with the form when the call is rejected', async () => {
    live();
    const [controls, react] = reveals['enables a fieldset'] as Reveal;
    const form = placeReacting(`<input name=mail type=email>${controls}`, react);
    const vatInput = form.querySelector('.vat input') as HTMLInputElement;
    vatInput.value = 'typed before';
    expect(await errorCodes(call({ kind: 'company', vat: 'DE1', mail: 'nobody' }))).to.deep.equal([
      'mail: type-mismatch',
    ]);
    expect([vatInput.value, vatInput.matches(':disabled')]).to.deep.equal(['typed before', true]);
  });
});

whereNotNative('a field that appears outside of the form', () => {
  it('is filled, and stops being a parameter when it is removed', async () => {
    live({ profile: 'precise' });
    const insert = (form: HTMLFormElement): void => form.insertAdjacentHTML('afterend', '<input form=f name=outside>');
    const form = placeReacting('', insert, 'id=f toolautosubmit');
    await call({ kind: 'company', outside: 'x' });
    form.nextElementSibling?.remove();
    expect(Object.keys((await schema()).properties ?? {})).to.deep.equal(['kind']);
  });
});

whereNotNative('a field that another value removes or disables', () => {
  for (const [what, hide] of [
    ['removes', (control: HTMLInputElement) => control.remove()],
    ['disables', (control: HTMLInputElement) => (control.disabled = true)],
  ] as const)
    it(`is reported with the reason if the page ${what} it`, async () => {
      live({ profile: 'precise' }, { optionsTimeoutMs: 100 });
      const form = placeTool('<input name=x><select name=kind><option>a<option>b</select><button>Go</button>');
      const [x, kind] = [...form.elements] as [HTMLInputElement, HTMLSelectElement];
      kind.addEventListener('change', () => hide(x));
      const { errors } = await rejection(call({ x: '1', kind: 'b' }));
      expect(errors.map(({ parameter, code, message }) => [parameter, code, message])).to.deep.equal([
        ['x', 'unknown-parameter', 'The page removes or disables "x" with the other values. Leave it out.'],
      ]);
    });
});

whereNotNative('a name that nothing reveals', () => {
  it('is an error that also lists the parameters that a choice reveals, and the form is restored', async () => {
    live({}, { optionsTimeoutMs: 100 });
    const [controls, react] = reveals['inserts it'] as Reveal;
    const form = placeReacting(controls, react);
    const { errors } = await rejection(call({ kind: 'company', vat: 'DE1', tax: '1' }));
    expect(errors.map(({ parameter, code, message }) => [parameter, code, message])).to.deep.equal([
      ['tax', 'unknown-parameter', 'The tool has no parameter "tax". Use one of "kind", "vat".'],
    ]);
    expect(form.querySelector('.vat')).to.equal(null);
  });

  it('is rejected at once, without an event, if nothing else has to be filled', async () => {
    live();
    const form = placeTool('<input name=a value=x>');
    let events = 0;
    for (const type of ['input', 'change', 'focusin']) form.addEventListener(type, () => events++);
    expect(await errorCodes(call({ a: 'x', b: 'y' }))).to.deep.equal(['b: unknown-parameter']);
    expect(await errorCodes(call({ b: 'y' }))).to.deep.equal(['b: unknown-parameter']);
    expect(await errorCodes(call({ a: 'y', b: 'y', c: 'z' }).then(() => task()))).to.deep.equal([
      'b: unknown-parameter',
      'c: unknown-parameter',
    ]);
    expect(form.elements.length).to.equal(1);
    expect(events > 0).to.equal(true); // the last call has filled `a` first
  });

  it('does not cause endless filling of a field that the page inserts again at each input', async () => {
    live({}, { optionsTimeoutMs: 100 });
    const form = placeTool('<input name=a>');
    let count = 0;
    form.addEventListener('input', () => {
      count++;
      form.innerHTML = '<input name=a>';
    });
    expect(await errorCodes(call({ a: 'x' }))).to.deep.equal(['a: not-kept']);
    expect(count).to.be.lessThan(10);
  });
});

whereNotNative('a choice that its page undoes at once, as after a question to the user', () => {
  for (const [what, controls, value] of [
    ['an option', '<select name=kind><option>a<option>b</select>', 'b'],
    ['a radio button', '<input type=radio name=kind value=a checked><input type=radio name=kind value=b>', 'b'],
    ['a checkbox', '<input type=checkbox name=kind>', true],
  ] as const)
    it(`is made once: ${what}`, async () => {
      live();
      const form = placeTool(`${controls}<input name=note>`);
      let questions = 0;
      form.addEventListener('change', ({ target }) => {
        if ((target as HTMLInputElement).name !== 'kind') return;
        questions++;
        for (const control of form.querySelectorAll('input')) control.checked = control.defaultChecked;
        for (const select of form.querySelectorAll('select')) select.value = 'a';
      });
      expect(await errorCodes(call({ kind: value, note: 'x' }))).to.deep.equal(['kind: not-kept']);
      expect(questions).to.equal(1);
    });
});

/** Adds a form that a script replaces by another one when the kind is chosen. */
function placeReplaced(put: (form: HTMLFormElement, next: HTMLFormElement) => void): void {
  const form = placeTool(`${kinds}<input name=mail type=email>`);
  const react = ({ target }: Event): void => {
    const { name, value } = target as HTMLSelectElement;
    const current = document.querySelector<HTMLFormElement>('form[toolname=t]');
    if (name !== 'kind' || !current) return;
    const next = current.cloneNode(true) as HTMLFormElement;
    next.querySelector('.vat')?.remove();
    if (value === 'company') next.insertAdjacentHTML('beforeend', vat);
    (next.elements.namedItem('kind') as HTMLSelectElement).value = value;
    next.addEventListener('change', react);
    answerEntries(next);
    put(current, next);
  };
  form.addEventListener('change', react);
}

whereNotNative('a call of a form that its page replaces after a choice', () => {
  it('fills and submits the new form', async () => {
    live();
    placeReplaced((form, next) => form.replaceWith(next));
    const entries = JSON.parse((await call({ kind: 'company', vat: 'DE1', mail: 'a@b' })) as string) as unknown;
    expect(entries).to.deep.equal([
      ['kind', 'company'],
      ['mail', 'a@b'],
      ['vat', 'DE1'],
    ]);
  });

  it('waits for the new form if the page shows a message before it', async () => {
    live();
    placeReplaced((form, next) => {
      const message = document.createElement('p');
      form.replaceWith(message);
      setTimeout(() => message.replaceWith(next), 200);
    });
    expect(await call({ kind: 'company', vat: 'DE1', mail: 'a@b' })).to.contain('["vat","DE1"]');
  });

  it('ends if the page does not show a new form', async () => {
    live({}, { optionsTimeoutMs: 100 });
    placeReplaced((form) => form.remove());
    expect(await errorCodes(call({ kind: 'company', mail: 'a@b' }))).to.deep.equal([': removed']);
  });

  it('restores the new form if it is rejected', async () => {
    live();
    placeReplaced((form, next) => form.replaceWith(next));
    expect(await errorCodes(call({ kind: 'company', vat: 'DE1', mail: 'nobody' }))).to.deep.equal([
      'mail: type-mismatch',
    ]);
    const form = document.querySelector('form[toolname=t]') as HTMLFormElement;
    await waitUntil(() => (form.elements.namedItem('kind') as HTMLSelectElement).value === '');
    expect([...new FormData(form)].filter(([, value]) => value !== '')).to.deep.equal([]);
  });

  for (const [what, put] of [
    ['in another place', (form, next) => (form.parentElement?.before(next), form.remove())],
    ['with another destination', (form, next) => (next.setAttribute('action', '/other'), form.replaceWith(next))],
    ['with another method', (form, next) => (next.setAttribute('method', 'get'), form.replaceWith(next))],
    [
      'with another hidden value',
      (form, next) => (
        next.insertAdjacentHTML('beforeend', '<input type=hidden name=to value=x>'),
        form.replaceWith(next)
      ),
    ],
    [
      'with a button for another place',
      (form, next) => (
        next.insertAdjacentHTML('beforeend', '<button formaction="/other">Go</button>'),
        form.replaceWith(next)
      ),
    ],
  ] as const satisfies readonly (readonly [string, (form: HTMLFormElement, next: HTMLFormElement) => unknown])[]) {
    it(`ends if the new form is ${what}, because a visitor may have written it`, async () => {
      live();
      placeReplaced((form, next) => {
        put(form, next);
        afterTest(() => next.remove());
      });
      expect(await errorCodes(call({ kind: 'company', vat: 'DE1' }))).to.deep.equal([': removed']);
    });
  }
});
