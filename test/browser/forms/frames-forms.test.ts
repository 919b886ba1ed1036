import { expect } from '@open-wc/testing';
import {
  addFrame,
  errorOf,
  isNative,
  loaded,
  namesIn,
  openFrame,
  record,
  settle,
  toolIn,
  until,
  windowOf,
  withoutScript,
  type FrameAttributes,
  type FrameWindow,
} from '../../support/polyfill/frame.js';
import { rejection } from '../../support/browser/live.js';

const scripts = { split: '/webmcp-forms.iife.js', inOnePiece: '/webmcp-forms.full.iife.js' };

/** A form that is a tool. */
const toolForm = (name: string, controls = '<input name=a maxlength=3>'): string =>
  `<form toolname=${name} tooldescription=d toolautosubmit action="javascript:void 0">${controls}</form>`;

const servedFile = '/test/browser/frames/form.html';

const tag = (src: string, attributes = ''): string => `<script src="${src}" ${attributes}></script>`;

/** A page with the classic script in a frame: the page of the tests does not load it. */
async function openPage(script = tag(scripts.split), body = ''): Promise<FrameWindow> {
  return windowOf(await openFrame({ srcdoc: `<!doctype html><head>${script}</head><body>${body}</body>` }));
}

/** Responds to the submissions of a form with its entries. */
function answerEntries(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (event.agentInvoked) event.respondWith([...new FormData(form, event.submitter)]);
  });
}

const formIn = (page: Document): HTMLFormElement => page.querySelector('form') as HTMLFormElement;

async function callIn(page: Document, name: string, input: object): Promise<string | null> {
  return page.modelContext.executeTool(await toolIn(page, name), input);
}

async function limitOf(page: Document, name = 't'): Promise<unknown> {
  const { inputSchema } = await toolIn(page, name);
  return (inputSchema as { properties: { a: { maxLength?: number } } }).properties.a.maxLength;
}

/** An empty frame in a page. Firefox replaces its initial document asynchronously. */
async function emptyFrame(page: Document): Promise<HTMLIFrameElement> {
  const frame = addFrame({}, page);
  await settle();
  return frame;
}

/** Ways to create a frame with a form and without a script of its own. */
const frames: Record<string, (page: Document) => Promise<HTMLIFrameElement>> = {
  'an empty page that is filled by innerHTML': async (page) => {
    const frame = await emptyFrame(page);
    windowOf(frame).document.body.innerHTML = toolForm('t');
    return frame;
  },
  'an empty page that is written': async (page) => {
    const frame = await emptyFrame(page);
    const { document } = windowOf(frame);
    document.open();
    document.write(`<!doctype html><body>${toolForm('t')}`);
    document.close();
    return frame;
  },
  'a srcdoc page': (page) => openFrame({ srcdoc: toolForm('t') }, page),
  'a served file': (page) => openFrame({ src: servedFile }, page),
  'a sandbox that allows scripts': (page) =>
    openFrame({ ...sandboxed('allow-scripts allow-forms'), srcdoc: toolForm('t') }, page),
  'a page that is replaced by another': async (page) => {
    const frame = await openFrame({ srcdoc: toolForm('old') }, page);
    await toolIn(page, 'old');
    frame.removeAttribute('srcdoc');
    frame.src = servedFile;
    await loaded(frame);
    return frame;
  },
};

const sandboxed = (tokens: string): FrameAttributes => ({ sandbox: `allow-same-origin ${tokens}` });

const suite = isNative ? describe.skip : describe;

suite('a page with the classic script', () => {
  for (const [name, script] of Object.entries(scripts)) {
    it(`registers its forms by one script tag (${name}), also forms added later`, async () => {
      const { document: page } = await openPage(tag(script), toolForm('t'));
      expect(await namesIn(page)).to.deep.equal(['t']);
      expect(await limitOf(page)).to.equal(undefined);
      answerEntries(formIn(page));
      expect(await callIn(page, 't', { a: 'x' })).to.equal('[["a","x"]]');
      page.body.insertAdjacentHTML('beforeend', toolForm('later'));
      expect(await namesIn(page)).to.deep.equal(['later', 't']);
    });

    for (const [where, open] of Object.entries(frames)) {
      it(`(${name}) lists and calls a form in ${where}`, async () => {
        const { document: page } = await openPage(tag(script));
        const frame = windowOf(await open(page));
        const form = formIn(frame.document);
        answerEntries(form);
        expect(await namesIn(page)).to.deep.equal(['t']);
        expect((await toolIn(page, 't')).window === frame).to.equal(true);
        expect(await callIn(page, 't', { a: 'x' })).to.equal('[["a","x"]]');
        expect(await callIn(frame.document, 't', { a: 'y' })).to.equal('[["a","y"]]');
        form.setAttribute('toolname', 'u');
        expect(await namesIn(page)).to.deep.equal(['u']);
      });
    }

    for (const where of ['itself', 'around it'])
      it(`(${name}) reports that a form was not submitted because the sandbox of the frame ${where} forbids it`, async () => {
        const { document: page } = await openPage(tag(script));
        const frame = await openFrame({ ...sandboxed('allow-scripts'), src: withoutScript() }, page);
        const { document: outer } = windowOf(frame);
        const { document: inner } = where === 'itself' ? { document: outer } : windowOf(addFrame({}, outer));
        inner.body.innerHTML = toolForm('t');
        const { errors } = await rejection(callIn(page, 't', { a: 'x' }));
        expect(errors.map(({ code }) => code)).to.deep.equal(['not-submitted']);
      });

    it(`(${name}) does not list a form in a sandbox without scripts`, async () => {
      const { document: page } = await openPage(tag(script));
      for (const tokens of ['', 'allow-forms']) {
        await openFrame({ ...sandboxed(tokens), srcdoc: toolForm('t') }, page);
      }
      expect(await namesIn(page)).to.deep.equal([]);
    });
  }

  for (const [what, script, limit, parameters] of [
    ['no options', tag(scripts.split), undefined, ['a', 'p']],
    ['the profile precise', tag(scripts.split, 'data-profile=precise'), 3, ['a']],
    ['the profile portable', tag(scripts.split, 'data-profile=portable'), 3, ['a']],
    ['an unknown profile', tag(scripts.split, 'data-profile=other'), undefined, ['a', 'p']],
    ['sensitive controls', tag(scripts.split, 'data-profile=precise data-sensitive=include'), 3, ['a', 'p']],
    ['no sensitive controls', tag(scripts.split, 'data-sensitive=exclude'), undefined, ['a']],
  ] as const) {
    it(`uses the options of its script tag: ${what}`, async () => {
      const controls = '<input name=a maxlength=3><input name=p type=password>';
      const { document: page } = await openPage(script, toolForm('t', controls));
      const { inputSchema } = await toolIn(page, 't');
      expect(await limitOf(page)).to.equal(limit);
      expect(Object.keys((inputSchema as { properties: object }).properties)).to.deep.equal(parameters);
    });
  }

  it('uses the options of its script tag: the origins to which forms are submitted without the user', async () => {
    const other = `http://127.0.0.1:${location.port}`;
    const form = `<form toolname=t tooldescription=d toolautosubmit target=next action="${other}/echo"><input name=a></form>`;
    const attributes = `data-autosubmit-origins="https://pay.example ${other}"`;
    const { document: page } = await openPage(tag(scripts.split, attributes), `${form}<iframe name=next></iframe>`);
    expect(await callIn(page, 't', { a: 'x' })).to.equal(null);
  });

  it('uses the options of its script tag for an inline script', async () => {
    const code = (await (await fetch(scripts.inOnePiece)).text()).replaceAll('</script', '<\\/script');
    const controls = '<input name=a maxlength=3><input name=p type=password>';
    const script = `<script data-profile=precise data-sensitive=include>${code}</script>`;
    const { document: page } = await openPage(script, toolForm('t', controls));
    expect(await limitOf(page)).to.equal(3);
    const { inputSchema } = await toolIn(page, 't');
    expect(Object.keys((inputSchema as { properties: object }).properties)).to.deep.equal(['a', 'p']);
  });

  it('patches every page of a frame for its forms and components', async () => {
    const { document: page } = await openPage();
    const frame = await openFrame({ srcdoc: toolForm('t') }, page);
    const members = (): readonly boolean[] => [
      'agentInvoked' in windowOf(frame).SubmitEvent.prototype,
      'setToolParamSchema' in windowOf(frame).ElementInternals.prototype,
    ];
    expect(members()).to.deep.equal([true, true]);
    frame.srcdoc = toolForm('u');
    await loaded(frame);
    expect(members()).to.deep.equal([true, true]);
  });

  it('uses the same options for the forms in its frames', async () => {
    const { document: page } = await openPage(tag(scripts.split, 'data-profile=precise'));
    const frame = await openFrame({ srcdoc: toolForm('t') }, page);
    expect(await limitOf(page)).to.equal(3);
    expect(await errorOf(callIn(page, 't', { a: 'long' }))).to.equal('UnknownError');
    expect(formIn(windowOf(frame).document).querySelector('input')?.value).to.equal('');
  });
});

suite('a frame with its own copy of the script', () => {
  const own = (script = '') => `${script}${tag(scripts.split, 'data-profile=precise')}${toolForm('t')}`;

  for (const [what, script] of [
    [' with the script', tag(scripts.split)],
    [' with the script in one file', tag(scripts.inOnePiece)],
    [' without the script', ''],
  ] as const) {
    it(`uses the options of its own script tag, once, in a page${what}`, async () => {
      const { document: page } = await openPage(script);
      const frame = windowOf(await openFrame({ srcdoc: own() }, page));
      expect(await namesIn(frame.document)).to.deep.equal(['t']);
      expect(await limitOf(frame.document)).to.equal(3);
      answerEntries(formIn(frame.document));
      expect(await callIn(frame.document, 't', { a: 'x' })).to.equal('[["a","x"]]');
      if (script) expect(await namesIn(page)).to.deep.equal(['t']);
    });
  }

  it('uses the options of its own script tag even if the parent page read its tools before the script ran', async () => {
    const { document: page } = await openPage();
    const look = '<script>frameElement.contentDocument</script>';
    const frame = windowOf(await openFrame({ srcdoc: own(look) }, page));
    expect(await namesIn(frame.document)).to.deep.equal(['t']);
    expect(await limitOf(frame.document)).to.equal(3);
  });

  it('registers its forms even if the parent page is polyfilled without forms and has read its tools', async () => {
    const { document: page } = await openPage(tag('/test/browser/frames/polyfill-only.ts', 'type=module'));
    await until(() => 'modelContext' in page);
    const look = '<script>frameElement.contentDocument</script>';
    const frame = windowOf(await openFrame({ srcdoc: own(look) }, page));
    expect(await namesIn(frame.document)).to.deep.equal(['t']);
  });
});

suite('a removed frame', () => {
  it('rejects the call of a form that waits for the user, with an UnknownError', async () => {
    const { document: page } = await openPage();
    const frame = await openFrame(
      { srcdoc: `<form toolname=t tooldescription><input name=a><button>Go</button></form>` },
      page,
    );
    const form = formIn(windowOf(frame).document);
    const result = errorOf(callIn(page, 't', { a: 'x' }));
    await new Promise((resolve) => form.addEventListener('webmcp-await-user', resolve, { once: true }));
    frame.remove();
    expect(await result).to.equal('UnknownError');
    expect(await namesIn(page)).to.deep.equal([]);
  });

  it('rejects a call without a response, with an UnknownError', async () => {
    const { document: page } = await openPage();
    const frame = await openFrame({ srcdoc: toolForm('t') }, page);
    const form = formIn(windowOf(frame).document);
    const submitted = new Promise((resolve) =>
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        event.respondWith(new Promise(() => undefined));
        resolve(event);
      }),
    );
    const result = errorOf(callIn(page, 't', { a: 'x' }));
    await submitted;
    frame.remove();
    expect(await result).to.equal('UnknownError');
  });

  it('lets other scripts use its form without any effect', async () => {
    const { document: page } = await openPage(tag(scripts.split), toolForm('stays'));
    const frame = await openFrame({ srcdoc: toolForm('t') }, page);
    const form = formIn(windowOf(frame).document);
    const handle = await toolIn(page, 't');
    frame.remove();
    expect(await namesIn(page)).to.deep.equal(['stays']);
    const events = record(page);
    form.setAttribute('toolname', 'u');
    form.append(form.ownerDocument.createElement('input'));
    form.remove();
    form.ownerDocument.body.append(form);
    await settle();
    expect(events).to.deep.equal([]);
    expect(await namesIn(page)).to.deep.equal(['stays']);
    expect(await errorOf(page.modelContext.executeTool(handle, { a: 'x' }))).to.equal('InvalidStateError');
  });

  it('lets another page adopt its form', async () => {
    const { document: page } = await openPage();
    const frame = await openFrame({ srcdoc: toolForm('t') }, page);
    const form = formIn(windowOf(frame).document);
    await toolIn(page, 't');
    page.body.append(form);
    frame.remove();
    answerEntries(form);
    expect(await namesIn(page)).to.deep.equal(['t']);
    expect(await callIn(page, 't', { a: 'x' })).to.equal('[["a","x"]]');
  });
});

/** Ways to move a form from a document without a window into a page. */
const ways: Record<string, (page: Document, form: HTMLFormElement) => HTMLFormElement> = {
  'that is adopted': (page, form) => page.adoptNode(form),
  'that is inserted': (_, form) => form,
  'whose copy is imported': (page, form) => page.importNode(form, true),
  'whose copy is inserted': (_, form) => form.cloneNode(true) as HTMLFormElement,
};

suite('a form of a document that is not shown', () => {
  for (const [what, bring] of Object.entries(ways)) {
    it(`is not registered, but a form ${what} is, and can be called`, async () => {
      const { document: page } = await openPage();
      const made = page.implementation.createHTMLDocument('');
      made.body.innerHTML = toolForm('t');
      expect(await namesIn(page)).to.deep.equal([]);
      const form = bring(page, formIn(made));
      page.body.append(form);
      answerEntries(form);
      expect(await namesIn(page)).to.deep.equal(['t']);
      expect(await callIn(page, 't', { a: 'x' })).to.equal('[["a","x"]]');
      form.setAttribute('toolname', 'u');
      await until(async () => (await namesIn(page)).join() === 'u');
    });
  }

  it('is unregistered when it moves back to that document', async () => {
    const { document: page } = await openPage(tag(scripts.split), toolForm('t'));
    expect(await namesIn(page)).to.deep.equal(['t']);
    page.implementation.createHTMLDocument('').body.append(formIn(page));
    expect(await namesIn(page)).to.deep.equal([]);
  });
});

const operations: Record<string, (context: Document['modelContext']) => Promise<unknown>> = {
  registerTool: (context) => context.registerTool({ name: 'u', description: 'd', execute: () => null }),
  getTools: (context) => context.getTools(),
  executeTool: (context) => context.executeTool({ name: 't', description: 'd', window, origin: location.origin }),
};

// Chromium 156 crashes natively.
suite('a removed frame with forms, at the first use of the tools', () => {
  for (const [name, run] of Object.entries(operations)) {
    for (const [kind, script] of Object.entries(scripts)) {
      it(`rejects ${name} with an InvalidStateError (${kind})`, async () => {
        const page = await openPage(tag(script));
        const frame = await openFrame({ srcdoc: `<!doctype html>${tag(script)}${toolForm('t')}` }, page.document);
        const { modelContext } = windowOf(frame).document;
        frame.remove();
        expect(await errorOf(run(modelContext))).to.equal('InvalidStateError');
        expect(await namesIn(page.document)).to.deep.equal([]);
      });
    }
  }
});

it('a form can be changed after its frame has been removed', async () => {
  const page = await openPage();
  const frame = await openFrame({ srcdoc: toolForm('t') }, page.document);
  await until(async () => (await namesIn(page.document)).includes('t'));
  const removed = formIn(windowOf(frame).document);
  frame.remove();
  removed.setAttribute('toolname', 'other');
  removed.append(document.createElement('input'));
  await settle();
  expect(await namesIn(page.document)).to.deep.equal([]);
});

describe('a form in a frame that leaves its page', () => {
  const form = `<form toolname=leaves tooldescription=d toolautosubmit data-webmcp-response=page method=post action=/echo/next>
    <input name=a></form>`;

  for (const [what, script] of [
    ['has the script', tag(scripts.split)],
    ['does not have the script', ''],
  ] as const) {
    it(`is answered by the next page if the page that it leaves ${what}`, async function () {
      if (isNative) this.skip();
      const page = await openPage(tag(scripts.split));
      const frame = addFrame({ src: servedFile }, page.document);
      await loaded(frame);
      await settle();
      const inner = windowOf(frame).document;
      if (script) await addScript(inner);
      inner.body.innerHTML = form;
      await settle();
      const answer = JSON.parse((await callIn(page.document, 'leaves', { a: 'x' })) as string) as { text: string };
      expect(answer.text).to.equal('Thanks a=x');
    });
  }
});

/** Adds the full script to an existing page. */
const addScript = (page: Document): Promise<unknown> =>
  new Promise((resolve) => {
    const script = Object.assign(page.createElement('script'), { src: scripts.split, onload: resolve });
    page.head.append(script);
  });
