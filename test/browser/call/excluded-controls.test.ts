import { expect } from '@open-wc/testing';
import type { JsonSchema } from '../../../src/json-schema.js';
import {
  afterTest,
  answerEntries,
  call,
  errorCodes,
  live,
  place,
  placeTool,
  task,
  tool,
  waitUntil,
  whereNotNative,
} from '../../support/browser/live.js';

const properties = async (): Promise<NonNullable<JsonSchema['properties']>> =>
  ((await tool()).inputSchema as JsonSchema).properties ?? {};
const parameterNames = async (): Promise<readonly string[]> => Object.keys(await properties());

/** Adds a style sheet until the end of the test. */
function addStyles(css: string): void {
  const style = document.createElement('style');
  style.textContent = css;
  document.head.append(style);
  afterTest(() => style.remove());
}

const name = '<label>Name <input name=n></label>';
const trap = '<div class=x><input name=website></div>';

/** Ways in which the style sheets of sites hide traps. */
const hidings: Readonly<Record<string, string>> = {
  'by display': '.x { display: none }',
  'off screen': '.x { position: absolute; left: -5000px }',
  'by opacity': '.x { opacity: 0 }',
  'by its size': '.x { height: 0; overflow: hidden }',
};

whereNotNative('a control without a label', () => {
  for (const [how, css] of Object.entries(hidings)) {
    it(`is not a parameter if the page hides it ${how}`, async () => {
      addStyles(css);
      live({ profile: 'precise' });
      placeTool(name + trap);
      expect(await parameterNames()).to.deep.equal(['n']);
    });
  }

  it('is a parameter if the page shows it', async () => {
    live({ profile: 'precise' });
    placeTool(name + trap);
    expect(await parameterNames()).to.deep.equal(['n', 'website']);
  });

  it('is a parameter if the page hides the whole form', async () => {
    addStyles('.x, .tab { display: none }');
    live({ profile: 'precise' });
    placeTool(name + trap).className = 'tab';
    expect(await parameterNames()).to.deep.equal(['n', 'website']);
  });

  it('is a parameter in the profile chromium, although the page hides it', async () => {
    addStyles('.x { display: none }');
    live({ profile: 'chromium' });
    placeTool(name + trap);
    expect(await parameterNames()).to.deep.equal(['n', 'website']);
  });

  it('is a parameter if a script replaces it by another one that the page shows', async () => {
    live({ profile: 'precise' });
    placeTool(
      `${name}<div><input name=tags style="position: absolute; left: 0; width: 1px"><b contenteditable>a</b></div>`,
    );
    expect(await parameterNames()).to.deep.equal(['n', 'tags']);
  });
});

whereNotNative('a honeypot', () => {
  const honeypot = `${name}<p hidden><label>Leave this field empty <input name=url></label></p>`;

  it('is not filled in, and the form is submitted with it empty', async () => {
    live({ profile: 'precise' });
    answerEntries(placeTool(honeypot));
    expect(await errorCodes(call({ n: 'Ann', url: 'x' }))).to.deep.equal(['url: unknown-parameter']);
    expect(JSON.parse((await call({ n: 'Ann' })) as string)).to.deep.equal([
      ['n', 'Ann'],
      ['url', ''],
    ]);
  });

  it('prevents the submission if it has a value, and the form is not changed', async () => {
    live({ profile: 'precise' });
    const form = placeTool(honeypot);
    let submissions = 0;
    form.addEventListener('submit', () => void submissions++);
    const control = form.elements.namedItem('url') as HTMLInputElement;
    control.value = 'https://example.com';
    expect(await errorCodes(call({ n: 'Ann' }))).to.deep.equal([': trap-filled']);
    expect([submissions, new FormData(form).get('n')]).to.deep.equal([0, '']);
    control.value = '';
    answerEntries(form);
    expect(await call({ n: 'Ann' })).to.include('Ann');
  });

  it('is a parameter if the author describes it', async () => {
    live({ profile: 'precise' });
    answerEntries(placeTool(honeypot.replace('name=url', 'name=url toolparamdescription="Web address"')));
    expect(await call({ url: 'x' })).to.include('["url","x"]');
  });
});

whereNotNative('a captcha', () => {
  it('makes a call wait for the user, also with toolautosubmit', async () => {
    live({ profile: 'precise' });
    const form = placeTool(
      `${name}<label>Enter the characters in the image <input name=code></label><button>Go</button>`,
    );
    const button = form.querySelector('button') as HTMLButtonElement;
    const answer = call({ n: 'Ann' });
    await waitUntil(() => form.classList.contains(':tool-form-active'));
    await task();
    expect(await parameterNames()).to.deep.equal(['n']);
    answerEntries(form);
    (form.elements.namedItem('code') as HTMLInputElement).value = 'w3b';
    button.click();
    expect(await answer).to.include('w3b');
  });
});

whereNotNative('a label that is connected with a control only by its position', () => {
  it('describes the parameter, and updates the tool when it changes', async () => {
    live({ profile: 'precise' });
    const form = placeTool('<table><tr><td>Town<td><input name=a></table>');
    expect((await properties())['a']?.description).to.equal('Town');
    (form.querySelector('td') as HTMLElement).firstChild!.nodeValue = 'City';
    expect((await properties())['a']?.description).to.equal('City');
  });

  it('describes the parameter if the parser has moved it out of the form', async () => {
    live({ profile: 'precise' });
    const container = document.createElement('div');
    document.body.append(container);
    afterTest(() => container.remove());
    container.innerHTML =
      '<table><tr><form toolname=t tooldescription=d></form><td class=label>Town<td><input name=a form=moved><button form=moved>Go</button></table>';
    const form = container.querySelector('form') as HTMLFormElement;
    form.id = 'moved';
    expect((await properties())['a']?.description).to.equal('Town');
    (container.querySelector('.label') as HTMLElement).firstChild!.nodeValue = 'City';
    expect((await properties())['a']?.description).to.equal('City');
  });
});

whereNotNative('two copies of a form', () => {
  it('are one tool if the page hides one of them', async () => {
    addStyles('.x { display: none } .tab { display: none }');
    live({ profile: 'precise' });
    const html = `<form toolname=t tooldescription=d>${name}${trap}<button>Go</button></form>`;
    place(html);
    place(html).className = 'tab';
    expect((await tool()).name).to.equal('t');
  });
});
