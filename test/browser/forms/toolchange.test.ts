import { expect } from '@open-wc/testing';
import { pageErrors } from '../../support/polyfill/page.js';
import {
  afterTest,
  live,
  names,
  place,
  settled,
  tool,
  tools,
  waitUntil,
  whereNotNative,
} from '../../support/browser/live.js';

/** Counts toolchange events until the test is over. */
function countChanges(): () => number {
  let count = 0;
  const listener = () => count++;
  document.modelContext.addEventListener('toolchange', listener);
  afterTest(() => document.modelContext.removeEventListener('toolchange', listener));
  return () => count;
}

/** Places a registered form, and counts the toolchange events after that. */
async function placeRegistered(html: string) {
  live();
  await names(); // forms are described from now on
  const added = countChanges();
  const form = place(html);
  await waitUntil(() => added() === 1);
  return { form, changes: countChanges() };
}

/** The listed tools, as `name: title: description`. */
const listed = async (): Promise<readonly string[]> =>
  (await tools()).map(({ name, title, description }) => `${name}: ${title}: ${description}`);

whereNotNative('an attribute of a form that is a tool', () => {
  const html = '<form toolname=t tooltitle=T tooldescription=d toolautosubmit><input name=a></form>';

  for (const [change, run, expected] of [
    ['a new toolname', (form) => form.setAttribute('toolname', 'u'), ['u: T: d']],
    ['no toolname', (form) => form.removeAttribute('toolname'), []],
    ['a new tooldescription', (form) => form.setAttribute('tooldescription', 'e'), ['t: T: e']],
    ['no tooldescription', (form) => form.removeAttribute('tooldescription'), []],
    ['a new tooltitle', (form) => form.setAttribute('tooltitle', 'U'), ['t: U: d']],
    ['no tooltitle', (form) => form.removeAttribute('tooltitle'), ['t: : d']],
    ['no toolautosubmit', (form) => form.removeAttribute('toolautosubmit'), ['t: T: d']],
  ] as [string, (form: HTMLFormElement) => void, string[]][]) {
    it(`dispatches one toolchange for ${change}, and another when the attributes are restored`, async () => {
      const { form, changes } = await placeRegistered(html);
      const before = [...form.attributes].map(({ name, value }) => [name, value] as const);
      run(form);
      await waitUntil(() => changes() > 0);
      expect(await listed()).to.deep.equal(expected);
      await settled();
      expect(changes()).to.equal(1);
      for (const [name, value] of before) form.setAttribute(name, value);
      await waitUntil(() => changes() > 1);
      expect(await listed()).to.deep.equal(['t: T: d']);
      await settled();
      expect(changes()).to.equal(2);
    });
  }
});

whereNotNative('a control of a form that is a tool', () => {
  const html = `<form toolname=t tooldescription=d><input name=a toolparamdescription=A>
    <select name=s><option>x<option>y</select></form>`;
  const a = (form: HTMLFormElement): HTMLInputElement => form.querySelector('input') as HTMLInputElement;
  const select = (form: HTMLFormElement): HTMLSelectElement => form.querySelector('select') as HTMLSelectElement;

  const text = '"a":{"type":"string","description":"A"}';
  const option = (value: string): string => `{"type":"string","const":"${value}","title":"${value}"}`;
  const choice = `"type":"string","anyOf":[${option('x')},${option('y')}],"enum":["x","y"]`;
  const one = `"s":{${choice}}`;
  const several = `"s":{"type":"array","items":{${choice}},"uniqueItems":true}`;

  for (const [change, run, expected, required] of [
    ['another name', (form) => (a(form).name = 'b'), [text.replace('a', 'b'), one]],
    ['no name', (form) => a(form).removeAttribute('name'), [text.replace('a', ''), one]],
    [
      'another type',
      (form) => (a(form).type = 'number'),
      ['"a":{"type":"number","multipleOf":1,"description":"A"}', one],
    ],
    ['the attribute required', (form) => (a(form).required = true), [text, one], '"a"'],
    ['the attribute multiple', (form) => (select(form).multiple = true), [text, several]],
    ['another description', (form) => a(form).setAttribute('toolparamdescription', 'B'), [text.replace('A', 'B'), one]],
    ['no description', (form) => a(form).removeAttribute('toolparamdescription'), ['"a":{"type":"string"}', one]],
    [
      'a control after it',
      (form) => form.insertAdjacentHTML('beforeend', '<input name=z>'),
      [text, one, '"z":{"type":"string"}'],
    ],
    ['its removal', (form) => a(form).remove(), [one]],
    ['the removal of all controls', (form) => form.replaceChildren(), []],
  ] as [string, (form: HTMLFormElement) => void, string[], string?][]) {
    it(`dispatches one toolchange for ${change}, and the tool has a new schema`, async () => {
      const { form, changes } = await placeRegistered(html);
      run(form);
      await waitUntil(() => changes() > 0);
      const schema = JSON.stringify((await tool()).inputSchema);
      expect(schema).to.equal(`{"type":"object","properties":{${expected.join()}},"required":[${required ?? ''}]}`);
      await settled();
      expect(changes()).to.equal(1);
    });
  }

  it('dispatches one toolchange when it becomes optional', async () => {
    const { form, changes } = await placeRegistered(html.replace('name=a', 'name=a required'));
    expect((await tool()).inputSchema).to.have.deep.property('required', ['a']);
    a(form).required = false;
    await waitUntil(() => changes() > 0);
    expect((await tool()).inputSchema).to.have.deep.property('required', []);
    await settled();
    expect(changes()).to.equal(1);
  });
});

whereNotNative('two equal forms of one name', () => {
  const html = '<form toolname=t tooldescription=d></form>';

  it('are one tool, with one toolchange and no error, and no tool after both are removed', async () => {
    const errors = pageErrors();
    const { form, changes } = await placeRegistered(html + html);
    await settled();
    expect([await listed(), changes()]).to.deep.equal([['t: : d'], 0]);
    form.parentElement?.replaceChildren();
    await waitUntil(() => changes() > 0);
    await settled();
    expect([await listed(), changes(), errors]).to.deep.equal([[], 1, []]);
  });

  it('are one tool when the second is added later, without toolchange', async () => {
    const { form, changes } = await placeRegistered(html);
    form.insertAdjacentHTML('afterend', html);
    await settled();
    expect([await listed(), changes()]).to.deep.equal([['t: : d'], 0]);
  });
});
