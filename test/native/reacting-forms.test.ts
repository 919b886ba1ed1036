import { expect } from '@open-wc/testing';
import type { CallError, JsonSchema } from '../../src/index.js';
import { load } from '../browser/widgets/load.js';
import { live, place, waitUntil } from '../support/browser/live.js';

declare const IMask: (input: Element, options: object) => unknown;

/** A form that the browser does not register: this library does, and runs its calls. */
const placeData = (controls: string, attributes = 'data-toolautosubmit'): HTMLFormElement =>
  place(
    `<form data-toolname=reacts data-tooldescription=d action="javascript:void 0" ${attributes}>${controls}<button>Go</button></form>`,
  );

async function listed() {
  for (;;) {
    const tools = await document.modelContext.getTools();
    const tool = tools.find(({ name, window: owner }) => name === 'reacts' && owner === window);
    if (tool) return tool;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const call = async (input: object): Promise<unknown> =>
  JSON.parse((await document.modelContext.executeTool(await listed(), input)) as string);

const codesOf = (result: unknown): readonly string[] =>
  (result as { readonly errors: readonly CallError[] }).errors.map(({ parameter, code }) => `${parameter}: ${code}`);

const properties = async (): Promise<Readonly<Record<string, JsonSchema>>> =>
  ((await listed()).inputSchema as { properties: Record<string, JsonSchema> }).properties;

function answerEntries(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (event.agentInvoked) event.respondWith([...new FormData(form)]);
  });
}

const choice = '<select name=kind><option value=""><option>person<option>company</select>';
const vat = '<label>VAT number <input name=vat required pattern="DE\\d+"></label>';

/** Reveals a field when the choice is `company`, after a delay in milliseconds. */
function placeRevealing(delayMs: number): HTMLFormElement {
  const form = placeData(`${choice}<div></div>`);
  const place = form.querySelector('div') as HTMLElement;
  form.addEventListener('change', ({ target }) => {
    const { name, value } = target as HTMLSelectElement;
    if (name === 'kind') setTimeout(() => (place.innerHTML = value === 'company' ? vat : ''), delayMs);
  });
  answerEntries(form);
  return form;
}

describe('a form with data-toolname that reacts, in a browser with WebMCP', () => {
  for (const delayMs of [0, 200]) {
    it(`is filled if a choice reveals a field after ${delayMs} ms, and the tool has its parameter from then on`, async () => {
      live({ profile: 'precise' });
      placeRevealing(delayMs);
      expect(await call({ kind: 'company', vat: 'DE1' })).to.deep.equal([
        ['kind', 'company'],
        ['vat', 'DE1'],
      ]);
      await waitUntil(async () => 'vat' in (await properties()));
      expect(await call({ kind: 'company', vat: 'DE2' })).to.deep.include(['vat', 'DE2']);
    });
  }

  it('is restored with the revealed field if the call is rejected', async () => {
    live({ profile: 'precise' });
    const form = placeRevealing(0);
    const result = await call({ kind: 'company', vat: '1' });
    expect(codesOf(result)).to.deep.equal(['vat: pattern-mismatch']);
    await waitUntil(() => form.elements.namedItem('vat') === null);
    expect((form.elements.namedItem('kind') as HTMLSelectElement).value).to.equal('');
    await waitUntil(async () => (await properties())['vat']?.description === 'VAT number Only if kind is "company".');
  });

  it('rejects a parameter that no choice reveals', async () => {
    live({ profile: 'precise' }, { optionsTimeoutMs: 100 });
    placeRevealing(0);
    expect(codesOf(await call({ kind: 'company', vat: 'DE1', tax: '1' }))).to.deep.equal(['tax: unknown-parameter']);
  });

  it('accepts the value that a mask shows, with a note, and rejects one that the mask truncates', async () => {
    live({ profile: 'precise' });
    const form = placeData('<input name=a type=tel>');
    await load('imask');
    IMask(form.elements[0] as Element, { mask: '(000) 000-0000' });
    answerEntries(form);
    expect(await call({ a: '5551234567' })).to.deep.equal({
      response: [['a', '(555) 123-4567']],
      notes: [{ parameter: 'a', message: 'The page shows the value of "a" as "(555) 123-4567".' }],
    });
    expect(codesOf(await call({ a: '55512345678' }))).to.deep.equal(['a: not-kept']);
  });

  it('keeps its values for a script that reads them after the call', async () => {
    live({ profile: 'precise' });
    const form = placeData('<input name=a value=old>');
    form.addEventListener('submit', (event) => event.preventDefault());
    expect(await call({ a: 'new' })).to.have.property('code', 'script-submission');
    expect((form.elements[0] as HTMLInputElement).value).to.equal('new');
  });

  it('answers with the error that its page has shown while the form was filled', async () => {
    live({ profile: 'precise' });
    const form = placeData('<input name=a><p role=alert></p>');
    const alert = form.querySelector('p') as HTMLElement;
    form.addEventListener('change', () => (alert.textContent = 'The name is taken.'));
    form.addEventListener('submit', (event) => event.preventDefault());
    expect(JSON.stringify(await call({ a: 'x' }))).to.include('The name is taken.');
  });

  it('sets a file only once if its page processes the file at once', async () => {
    live({ profile: 'precise' });
    const form = placeData('<input name=f type=file>');
    let uploads = 0;
    form.addEventListener('change', ({ target }) => {
      if ((target as HTMLInputElement).files?.length) uploads++;
      (target as HTMLInputElement).value = '';
    });
    answerEntries(form);
    const result = await call({ f: { name: 'a.txt', content: btoa('hi') } });
    expect([uploads, JSON.stringify(result).includes('may have accepted')]).to.deep.equal([1, true]);
  });

  it('is submitted with the button that its page enables after a change', async () => {
    live({ profile: 'precise' });
    const form = placeData('<input name=a>', '');
    const button = form.querySelector('button') as HTMLButtonElement;
    button.disabled = true;
    form.addEventListener('input', () => (button.disabled = false));
    answerEntries(form);
    form.addEventListener('webmcp-await-user', () => setTimeout(() => button.click()));
    expect(await call({ a: 'x' })).to.deep.equal([['a', 'x']]);
  });

  it('rejects a call while no user can see it', async () => {
    live({ profile: 'precise' }, { optionsTimeoutMs: 100 });
    placeData('<input name=a>', 'style="display: none"');
    expect(await call({ a: 'x' }))
      .to.have.property('message')
      .that.includes('The form is not visible');
  });

  it('answers with the value that a listener has set before another listener answered', async () => {
    live({ profile: 'precise' });
    const form = placeData('<input name=a>');
    form.addEventListener('submit', () => ((form.elements[0] as HTMLInputElement).value = 'replaced'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      event.respondWith({ saved: true });
    });
    expect(JSON.stringify(await call({ a: 'mine' })))
      .to.include('replaced')
      .and.include('"saved":true');
  });
});
