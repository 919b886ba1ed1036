import { expect } from '@open-wc/testing';
import type { ExecuteToolOptions } from '../../src/webmcp.js';
import { pageErrors } from '../support/polyfill/page.js';
import {
  afterTest,
  answerEntries,
  call,
  live,
  names,
  place,
  placeTool,
  settled,
  task,
  tool,
} from '../support/browser/live.js';
import { chromiumFault } from '../support/browser/native.js';

/** The result of a call, or its error, once the tool is registered. */
const outcomeOf = (input: object, options?: ExecuteToolOptions): Promise<string> =>
  task()
    .then(() => call(input, options))
    .then(String, (error: unknown) => `failed: ${String(error)}`);

/** Starts a call that waits for the user. */
async function asking(input: object = { a: 'x' }): Promise<{ readonly outcome: Promise<string> }> {
  const activated = next('toolactivated');
  const outcome = outcomeOf(input);
  await activated;
  return { outcome };
}

const next = (type: string): Promise<Event> =>
  new Promise((resolve) => document.modelContext.addEventListener(type, resolve, { once: true }));

/** Counts events at the model context until the test is over. */
function count(type: string): () => number {
  let events = 0;
  const listener = () => events++;
  document.modelContext.addEventListener(type, listener);
  afterTest(() => document.modelContext.removeEventListener(type, listener));
  return () => events;
}

const element = (form: HTMLFormElement, selector: string): HTMLElement => form.querySelector(selector) as HTMLElement;
const control = (form: HTMLFormElement, name = 'a'): HTMLInputElement =>
  form.elements.namedItem(name) as HTMLInputElement;
const entries = (form: HTMLFormElement): string => JSON.stringify([...new FormData(form)]);
const press = (form: HTMLFormElement): void => element(form, 'button').click();

/** Logs the events of a form with their controls, until the test is over. */
function logged(form: HTMLFormElement, ...types: readonly string[]): string[] {
  const log: string[] = [];
  for (const type of types) {
    form.addEventListener(type, ({ target }) => log.push(`${type} ${(target as HTMLInputElement).name}`), true);
  }
  return log;
}

/** Responds to the submissions of a form. */
const respond = (form: HTMLFormElement, answer: (event: SubmitEvent) => unknown): void =>
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (event.agentInvoked) event.respondWith(answer(event));
  });

beforeEach(() => void live());

describe('a registered form, unlike in Chromium,', () => {
  const parameter = async (name: string): Promise<unknown> =>
    ((await tool()).inputSchema as { readonly properties: Record<string, unknown> }).properties[name];

  chromiumFault('staleLabels', 'is updated after the text of its labels changes', async () => {
    const form = placeTool('<label>Old<input name=a></label>');
    await settled();
    (element(form, 'label').firstChild as Text).data = 'New';
    await settled();
    expect(await parameter('a')).to.have.property('description', 'New');
  });

  for (const [what, change] of [
    ['are added', (select) => select.add(new Option('z'))],
    ['are removed', (select) => select.remove(0)],
    ['get another value', (select) => ((select.options[0] as HTMLOptionElement).value = 'z')],
    ['are all replaced', (select) => (select.innerHTML = '<option>z')],
  ] as [string, (select: HTMLSelectElement) => unknown][]) {
    chromiumFault('staleOptions', `is updated after options ${what}`, async () => {
      const select = element(placeTool('<select name=a><option>x<option>y</select>'), 'select') as HTMLSelectElement;
      await settled();
      change(select);
      await settled();
      expect(await parameter('a')).to.have.deep.property(
        'enum',
        [...select.options].map(({ value }) => value),
      );
    });
  }

  chromiumFault('lostFirst', 'stays registered when another form of its name is removed', async () => {
    place('<form toolname=t tooldescription=first></form>');
    const second = place('<form toolname=t tooldescription=second></form>');
    await settled();
    second.remove();
    await settled();
    expect((await tool()).description).to.equal('first');
  });

  chromiumFault('lostFirst', 'does not unregister the imperative tool of its name when it is removed', async () => {
    const controller = new AbortController();
    afterTest(() => controller.abort());
    const imperative = { name: 't', description: 'imperative', execute: () => '' };
    await document.modelContext.registerTool(imperative, controller);
    const form = placeTool('');
    await settled();
    form.remove();
    await settled();
    expect(await names()).to.deep.equal(['t']);
  });

  chromiumFault('noPromotion', 'is registered when another form of its name is removed', async () => {
    const first = place('<form toolname=t tooldescription=first></form>');
    place('<form toolname=t tooldescription=second></form>');
    await settled();
    first.remove();
    await settled();
    expect((await tool()).description).to.equal('second');
  });

  for (const [what, change] of [
    [
      'three added forms',
      (form) => {
        for (const name of 'uvw') {
          form.insertAdjacentHTML('afterend', `<form toolname=${name} tooldescription=d></form>`);
        }
      },
    ],
    ['a description that changes', (form) => form.setAttribute('tooldescription', 'other')],
    ['an added control', (form) => form.insertAdjacentHTML('beforeend', '<input name=b>')],
  ] as [string, (form: HTMLFormElement) => void][]) {
    chromiumFault('unbatched', `fires one toolchange for ${what}`, async () => {
      const form = placeTool('<input name=a>');
      await settled();
      const changes = count('toolchange');
      change(form);
      await settled();
      expect(changes()).to.equal(1);
    });
  }

  chromiumFault('windowless', 'is registered when it moves from a document without a window to the page', async () => {
    const inert = document.implementation.createHTMLDocument();
    inert.body.innerHTML = '<form toolname=t tooldescription=d></form>';
    expect(Reflect.get(inert, 'modelContext') === document.modelContext).to.equal(false);
    expect(await names()).to.deep.equal([]);
    place('<form></form>').append(inert.body.firstChild as Node);
    expect(await names()).to.deep.equal(['t']);
  });
});

describe('a call, unlike in Chromium,', () => {
  for (const [what, html, number, value] of [
    ['a price', '<input name=a type=number step=any>', 19999.99, '19999.99'],
    ['more than an int32', '<input name=a type=number>', 2147483648, '2147483648'],
    ['three billion', '<input name=a type=number>', 3000000000, '3000000000'],
    ['nine digits', '<input name=a type=number step=any>', 123456.789, '123456.789'],
    ['eight digits', '<input name=a type=number step=any>', 1234567.5, '1234567.5'],
    ['a hundredth', '<input name=a type=number step=any>', 100000.01, '100000.01'],
    ['the largest safe integer', '<input name=a type=number>', 9007199254740991, '9007199254740991'],
    ['a number with an exponent', '<input name=a type=number>', 1e21, '1e+21'],
    ['a telephone number', '<input name=a type=tel>', 4915112345678, '4915112345678'],
    ['a number in a textarea', '<textarea name=a></textarea>', 3000000000, '3000000000'],
    ['an option', '<select name=a><option>1<option>3000000000</select>', 3000000000, '3000000000'],
    ['a radio button', '<input name=a type=radio value=3000000000>', 3000000000, '3000000000'],
    ['a range', '<input name=a type=range max=9000000000>', 2147483648, '2147483648'],
  ] as [string, string, number, string][]) {
    chromiumFault('digits', `sets all digits of ${what}`, async () => {
      const form = placeTool(html);
      answerEntries(form);
      expect(await outcomeOf({ a: number })).to.equal(JSON.stringify([['a', value]]));
    });
  }

  chromiumFault('digits', 'sets all digits of a number in a list', async () => {
    const form = placeTool('<input name=a type=checkbox value=1><input name=a type=checkbox value=3000000000>');
    answerEntries(form);
    expect(await outcomeOf({ a: [3000000000] })).to.equal('[["a","3000000000"]]');
  });

  for (const [fault, what, html, value] of [
    ['clamping', 'a number off the steps of a range', '<input name=a type=range min=0 max=10 step=2 value=4>', 5],
    ['clamping', 'a number outside of a range', '<input name=a type=range min=0 max=10 value=4>', 11],
    ['clamping', 'text for a range', '<input name=a type=range min=0 max=10 value=4>', 'abc'],
    ['clamping', 'true for a range', '<input name=a type=range min=0 max=10 value=4>', true],
    ['colors', 'an invalid color', '<input name=a type=color value=#123456>', 'garbage'],
    ['colors', 'no color', '<input name=a type=color value=#123456>', ''],
    ['disabledOptions', 'a disabled option', '<select name=a><option>x<option disabled>y</select>', 'y'],
    [
      'disabledOptions',
      'an option of a disabled group',
      '<select name=a><option>x<optgroup disabled><option>y</select>',
      'y',
    ],
    [
      'disabledOptions',
      'a list with a disabled option',
      '<select name=a multiple><option selected>x<option disabled>y</select>',
      ['y'],
    ],
    ['lengths', 'text that is too long', '<input name=a maxlength=3 value=old>', 'four'],
    ['lengths', 'text that is too short', '<input name=a minlength=3 value=old>', 'x'],
    ['lengths', 'text that is too long for a textarea', '<textarea name=a maxlength=3>old</textarea>', 'four'],
    ['lineBreaks', 'line breaks for a text field', '<input name=a value=old>', 'a\nb'],
    ['leftovers', 'a number below the minimum', '<input name=a type=number min=10 value=11>', 5],
    ['leftovers', 'text that the pattern does not match', '<input name=a pattern=[a-z]+ value=old>', '1'],
    ['leftovers', 'no text where some is required', '<input name=a required value=old>', ''],
    ['leftovers', 'an invalid address', '<input name=a type=email value=a@b.c>', 'nobody'],
  ] as [Parameters<typeof chromiumFault>[0], string, string, unknown][]) {
    chromiumFault(fault, `rejects ${what} and restores the form`, async () => {
      const form = placeTool(`${html}<input name=b value=old>`);
      answerEntries(form);
      const before = entries(form);
      expect(await outcomeOf({ b: 'new', a: value })).to.match(/^failed: UnknownError/);
      expect(entries(form)).to.equal(before);
    });
  }

  /** A select of countries and a dependent select of cities. */
  function placeCities(): HTMLFormElement {
    const form = placeTool(
      '<select name=country><option>us<option>fr</select><select name=city><option>la<option selected>ny</select>',
    );
    const [country, city] = form.querySelectorAll('select') as unknown as [HTMLSelectElement, HTMLSelectElement];
    country.addEventListener('change', () => {
      const cities = country.value === 'fr' ? ['paris', 'lyon'] : ['la', 'ny'];
      city.replaceChildren(...cities.map((name) => new Option(name)));
    });
    answerEntries(form);
    return form;
  }

  chromiumFault('dependents', 'accepts an option that another option adds', async () => {
    placeCities();
    expect(await outcomeOf({ country: 'fr', city: 'lyon' })).to.equal('[["country","fr"],["city","lyon"]]');
  });

  chromiumFault('dependents', 'rejects an option that another option removes', async () => {
    const form = placeCities();
    expect(await outcomeOf({ country: 'fr', city: 'ny' })).to.match(/^failed: UnknownError/);
    expect(entries(form)).to.equal('[["country","us"],["city","ny"]]');
  });

  chromiumFault('removedControls', 'rejects if a control is removed before it is filled', async () => {
    const form = placeTool('<input name=a value=old><input name=b>');
    answerEntries(form);
    control(form).addEventListener('input', () => form.querySelector('[name=b]')?.remove());
    expect(await outcomeOf({ a: 'new', b: 'x' })).to.match(/^failed: UnknownError/);
    expect(entries(form)).to.equal('[["a","old"]]');
  });

  chromiumFault('argumentOrder', 'fills the controls in tree order', async () => {
    const form = placeTool('<input name=a><textarea name=b></textarea><input name=c>');
    answerEntries(form);
    const log = logged(form, 'input');
    await outcomeOf({ c: 'x', a: 'x', b: 'x' });
    expect(log).to.deep.equal(['input a', 'input b', 'input c']);
  });

  for (const [what, html, value] of [
    ['a checkbox that is checked', '<input name=a type=checkbox checked>', true],
    ['a checkbox that is not checked', '<input name=a type=checkbox>', false],
    ['the radio button that is chosen', '<input name=a type=radio value=x checked>', 'x'],
  ] as [string, string, unknown][]) {
    chromiumFault('needlessChange', `fires nothing at ${what} already`, async () => {
      const form = placeTool(html);
      answerEntries(form);
      const log = logged(form, 'click', 'input', 'change');
      await outcomeOf({ a: value });
      expect(log).to.deep.equal([]);
    });
  }

  chromiumFault('radioTwins', 'checks one of several radio buttons of one value', async () => {
    const form = placeTool('<input name=a type=radio value=x><input name=a type=radio value=x>');
    answerEntries(form);
    const log = logged(form, 'input', 'change');
    await outcomeOf({ a: 'x' });
    expect(log).to.deep.equal(['input a', 'change a']);
    expect((form.elements[0] as HTMLInputElement).checked).to.equal(true);
  });

  chromiumFault('focusTheft', 'does not move the focus or fire invalid when it is rejected', async () => {
    const form = placeTool('<input name=a required value=old><input name=b>');
    const log = logged(form, 'invalid');
    control(form, 'b').focus();
    expect(await outcomeOf({ a: '' })).to.match(/^failed: UnknownError/);
    expect([log, (document.activeElement as HTMLInputElement).name]).to.deep.equal([[], 'b']);
  });

  chromiumFault('onlyFirst', 'reports all errors when it is rejected', async () => {
    placeTool('<input name=a type=number>');
    const message = await outcomeOf({ x: 1, a: 'many', y: 2 });
    expect(message).to.include('"x"').and.include('"a"').and.include('"y"');
  });

  chromiumFault('vagueness', 'rejects with a clear message if the tool was unregistered', async () => {
    const form = placeTool('');
    await settled();
    const gone = await tool();
    form.remove();
    await settled();
    const message = await document.modelContext.executeTool(gone).catch(String);
    expect(message).to.equal('UnknownError: The tool "t" is not available to this page any more.');
  });

  chromiumFault('reasons', 'rejects with the reason of a rejected response', async () => {
    pageErrors(); // Chromium reports the rejection
    respond(placeTool(''), () => Promise.reject(new Error('sold out')));
    expect(await outcomeOf({})).to.match(/^failed: UnknownError: .*sold out/);
  });

  chromiumFault('failedActivation', 'fires no toolactivated when it is rejected', async () => {
    placeTool('<input name=a required>');
    const activations = count('toolactivated');
    expect(await outcomeOf({ x: 1 })).to.match(/^failed: UnknownError/);
    expect(await outcomeOf({ a: '' })).to.match(/^failed: UnknownError/);
    await settled();
    expect(activations()).to.equal(0);
  });

  chromiumFault('surrogates', 'does not change a response that is not well-formed', async () => {
    respond(placeTool(''), () => 'a\ud800b');
    expect(await outcomeOf({})).to.equal('a\ud800b');
  });

  chromiumFault('symbols', 'rejects if the response is a symbol, and the next call works', async () => {
    const form = placeTool('');
    respond(form, () => Symbol('x'));
    expect(await outcomeOf({})).to.match(/^failed: UnknownError/);
    respond(form, () => 'done');
    expect(await outcomeOf({})).to.equal('done');
  });
});

describe('a call that waits for the user', () => {
  it('leaves excluded controls to the user, as in Chromium', async () => {
    const form = placeTool('<input name=a><input name=f type=file required><button>Go</button>', '');
    answerEntries(form);
    const { outcome } = await asking();
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], 'x.txt'));
    control(form, 'f').files = transfer.files;
    press(form);
    expect(await outcome).to.equal('[["a","x"],["f",{}]]');
  });

  chromiumFault('secondSubmit', 'continues after an invalid submission, unlike in Chromium', async () => {
    const form = placeTool('<input name=a required><button>Go</button>', '');
    answerEntries(form);
    const { outcome } = await asking();
    control(form).value = '';
    press(form);
    await settled();
    control(form).value = 'user';
    press(form);
    expect(JSON.parse(await outcome)).to.deep.equal({
      response: [['a', 'user']],
      notes: [
        { parameter: 'a', message: 'The value of "a" was changed before the user submitted the form. It is "user".' },
      ],
    });
  });

  for (const [what, change] of [
    ['a label is added', (form) => form.insertAdjacentHTML('afterbegin', '<label for=a>New</label>')],
    ['a control is added', (form) => form.insertAdjacentHTML('beforeend', '<input name=b value=y>')],
    ['a control becomes required', (form) => (control(form).required = true)],
    ['a control is read-only', (form) => (control(form).readOnly = true)],
    ['the description of the form changes', (form) => form.setAttribute('tooldescription', 'other')],
    ['the form gets a title', (form) => form.setAttribute('tooltitle', 'other')],
    ['the form gets toolautosubmit', (form) => form.toggleAttribute('toolautosubmit')],
    ['the form moves', (form) => form.parentElement?.append(form)],
  ] as [string, (form: HTMLFormElement) => unknown][]) {
    chromiumFault('busyState', `continues, unlike in Chromium, when ${what}`, async () => {
      const form = placeTool('<input name=a id=a><button>Go</button>', '');
      respond(form, () => control(form).value);
      const { outcome } = await asking();
      change(form);
      await settled();
      press(form);
      expect(await outcome).to.equal('x');
    });
  }
});

describe('a call that the page has responded to, unlike in Chromium,', () => {
  for (const [what, change] of [
    ['the form is reset', (form) => form.reset()],
    ['the fieldset is disabled', (form) => form.querySelector('fieldset')?.setAttribute('disabled', '')],
    ['a control is disabled', (form) => (control(form).disabled = true)],
    ['a control is read-only', (form) => (control(form).readOnly = true)],
    ['a control is removed', (form) => control(form).remove()],
    ['a message with a label is added', (form) => form.insertAdjacentHTML('beforeend', '<label for=a>Sent</label>')],
    ['the form is rendered again', (form) => (form.innerHTML = '<input name=other>')],
    ['the description of the form changes', (form) => form.setAttribute('tooldescription', 'other')],
    ['the tool is renamed', (form) => form.setAttribute('toolname', 'u')],
    ['the form moves', (form) => form.parentElement?.append(form)],
    ['the form is removed', (form) => form.remove()],
  ] as [string, (form: HTMLFormElement) => unknown][]) {
    chromiumFault('busyState', `continues when ${what}`, async () => {
      const form = placeTool('<fieldset><input name=a id=a></fieldset>');
      const submitted = new Promise<(answer: string) => void>((begin) => {
        respond(form, () => new Promise(begin));
      });
      const outcome = outcomeOf({ a: 'x' });
      const answer = await submitted;
      await settled();
      change(form);
      await settled();
      answer('done');
      expect(await outcome).to.equal('done');
    });
  }
});

describe('concurrent calls of one form, unlike in Chromium,', () => {
  chromiumFault('overlap', 'resolve with their own results with toolautosubmit', async () => {
    const form = placeTool('<input name=a>');
    respond(form, () => {
      const { value } = control(form);
      return task().then(() => value);
    });
    const outcomes = await Promise.all(['1', '2', '3'].map((a) => outcomeOf({ a })));
    expect(outcomes).to.deep.equal(['1', '2', '3']);
  });

  /** A form that waits for the user, with two calls. */
  async function placeCalled() {
    const form = placeTool('<input name=a><button>Go</button>', '');
    respond(form, () => control(form).value);
    const controllers = [new AbortController(), new AbortController()] as const;
    const activated = next('toolactivated');
    const outcomes = [outcomeOf({ a: '1' }, controllers[0]), outcomeOf({ a: '2' }, controllers[1])] as const;
    await activated;
    await settled();
    return { form, controllers, outcomes };
  }

  chromiumFault('overlap', 'wait for the user one after another', async () => {
    const { form, outcomes } = await placeCalled();
    expect(control(form).value).to.equal('1');
    const activated = next('toolactivated');
    press(form);
    expect(await outcomes[0]).to.equal('1');
    await activated;
    press(form);
    expect(await outcomes[1]).to.equal('2');
  });

  chromiumFault('abortOfFirst', 'are not affected by an abort of the first', async () => {
    const { form, controllers, outcomes } = await placeCalled();
    const activated = next('toolactivated');
    controllers[0].abort('mine');
    expect(await outcomes[0]).to.equal('failed: mine');
    await activated;
    press(form);
    expect(await outcomes[1]).to.equal('2');
  });

  chromiumFault('overlap', 'are not affected by an abort of the second', async () => {
    const { form, controllers, outcomes } = await placeCalled();
    controllers[1].abort('mine');
    expect(await outcomes[1]).to.equal('failed: mine');
    expect(control(form).value).to.equal('1');
    press(form);
    expect(await outcomes[0]).to.equal('1');
  });

  chromiumFault('overlap', 'reject one at a time when the form is reset', async () => {
    const { form, outcomes } = await placeCalled();
    const activated = next('toolactivated');
    form.reset();
    expect(await outcomes[0]).to.match(/^failed: UnknownError: .*reset/);
    await activated;
    press(form);
    expect(await outcomes[1]).to.equal('2');
  });

  chromiumFault('overlap', 'are not affected by a rejected call', async () => {
    const { form, outcomes } = await placeCalled();
    const rejected = outcomeOf({ x: 1 });
    const activated = next('toolactivated');
    press(form);
    await activated;
    press(form);
    expect(await Promise.all(outcomes)).to.deep.equal(['1', '2']);
    expect(await rejected).to.match(/^failed: UnknownError: .*"x"/);
  });
});
