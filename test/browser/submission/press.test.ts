import { expect } from '@open-wc/testing';
import {
  afterTest,
  answerEntries,
  call,
  errorCodes,
  live,
  place,
  placeTool,
  rejection,
  whereNotNative,
} from '../../support/browser/live.js';

const button = (form: HTMLFormElement): HTMLButtonElement => form.querySelector('button') as HTMLButtonElement;

/** The clicks, submissions and constraint validations of a form. */
function trace(form: HTMLFormElement): string[] {
  const log: string[] = [];
  const controller = new AbortController();
  afterTest(() => controller.abort());
  for (const type of ['click', 'submit', 'invalid']) {
    document.addEventListener(type, ({ target }) => log.push(`${type} ${(target as Element).localName}`), {
      capture: true,
      signal: controller.signal,
    });
  }
  answerEntries(form);
  return log;
}

whereNotNative('the press of the submit button', () => {
  beforeEach(() => void live({ profile: 'precise' }));

  it('clicks the button before the form is submitted', async () => {
    const form = placeTool('<input name=a><button name=go value=1>Go</button>');
    const log = trace(form);
    expect(await call({ a: 'x' })).to.equal('[["a","x"],["go","1"]]');
    expect(log).to.deep.equal(['click button', 'submit form']);
  });

  it('clicks the main button instead of a first button for another action', async () => {
    const buttons = '<button name=more>Add more files</button><button name=go>Create</button>';
    answerEntries(placeTool(`<input name=a>${buttons}`));
    expect(await call({ a: 'x' })).to.equal('[["a","x"],["go",""]]');
    expect(await call({ a: 'x', submitter: 'more' })).to.equal('[["a","x"],["more",""]]');
  });

  it('submits a form that has no button, without a click', async () => {
    const form = placeTool('<input name=a>');
    const log = trace(form);
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
    expect(log).to.deep.equal(['submit form']);
  });

  for (const [kind, html, entries] of [
    ['a hidden button', '<button hidden name=go value=1>Go</button>', '[["a","x"],["go","1"]]'],
    ['an image button', '<input type=image name=go alt=Go>', '[["a","x"],["go.x","0"],["go.y","0"]]'],
    ['a button with a popover', '<button popovertarget=p name=go value=1>Go</button>', '[["a","x"],["go","1"]]'],
  ] as const) {
    it(`submits the entries of ${kind}`, async () => {
      answerEntries(placeTool(`<input name=a>${html}`));
      expect(await call({ a: 'x' })).to.equal(entries);
    });
  }

  it('clicks a button outside of the form', async () => {
    const form = place(
      `<form id=f toolname=t tooldescription=d toolautosubmit action="javascript:void 0"><input name=a></form>
       <button form=f name=go value=1>Go</button>`,
    );
    const log = trace(form);
    expect(await call({ a: 'x' })).to.equal('[["a","x"],["go","1"]]');
    expect(log).to.deep.equal(['click button', 'submit form']);
  });

  it('does not submit a form whose only button is disabled while it is filled, because users cannot either', async () => {
    const form = placeTool('<input name=a><button name=go value=1>Go</button>');
    form.addEventListener('input', () => (button(form).disabled = true));
    const log = trace(form);
    const { errors } = await rejection(call({ a: 'x' }));
    expect([errors[0]?.code, log]).to.deep.equal(['no-submit-button', []]);
  });

  it('lets a click listener submit the form itself', async () => {
    const form = placeTool('<input name=a><button name=go value=1>Go</button>');
    button(form).addEventListener('click', (event) => {
      event.preventDefault();
      form.requestSubmit();
    });
    answerEntries(form);
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
  });

  it('does not submit a form whose click listener prevents it', async () => {
    const form = placeTool('<input name=a><button>Go</button>');
    const log = trace(form);
    button(form).addEventListener('click', (event) => event.preventDefault());
    await rejection(call({ a: 'x' }));
    expect(log).to.deep.equal(['click button']);
  });

  it('is not made if the form violates a constraint', async () => {
    const form = placeTool('<input name=a required value=old><button>Go</button>');
    const log = trace(form);
    expect(await errorCodes(call({ a: '' }))).to.deep.equal(['a: value-missing']);
    expect(log).to.deep.equal([]);
  });
});
