import { expect } from '@open-wc/testing';
import '../../elements/webmcp-tool.js';
import { registerForms, type AwaitUserDetail } from '../../src/index.js';
import {
  afterTest,
  answerEntries,
  call,
  host,
  isNative,
  live,
  names,
  place,
  tool,
  tools,
} from '../support/browser/live.js';
import { addTool, codes, formsLoaded, toolChanges, settled } from '../support/elements/webmcp-tools.js';

const controls = '<label>E-mail <input name=email type=email></label><button>Go</button>';
const form = (attributes = 'id=f', inside = controls): string =>
  `<form action="javascript:void 0" ${attributes}>${inside}</form>`;
const placeForm = (attributes?: string, inside?: string): HTMLFormElement => place(form(attributes, inside));
const description = async (name = 't'): Promise<string> => (await tool(name)).description;
const described = async (): Promise<Record<string, { description?: string }>> =>
  Reflect.get((await tool()).inputSchema ?? {}, 'properties') as Record<string, { description?: string }>;

before(formsLoaded);

describe('<webmcp-tool> with a form', () => {
  it('fills and submits the form like an annotated one', async () => {
    answerEntries(placeForm());
    await addTool('name=t description="Subscribes." tooltitle=News for=f autosubmit');
    const { title } = await tool();
    expect([await description(), title]).to.deep.equal(['Subscribes.', 'News']);
    expect(await call({ email: 'a@b.example' })).to.equal('[["email","a@b.example"]]');
  });

  it('does not change the form', async () => {
    const placed = placeForm();
    const before = placed.outerHTML;
    await addTool('name=t description=d for=f', ['<webmcp-param name=email description=Where></webmcp-param>']);
    expect((await described()).email?.description).to.equal('Where');
    expect(placed.outerHTML).to.equal(before);
  });

  it('finds a form by its name and its action, follows their changes, and uses neither of two matching forms', async () => {
    const wiki = (action: string): string => `<form name=wiki action="${action}">${controls}</form>`;
    const placed = place(wiki('/save?id=1'));
    const element = await addTool('name=t description=d for-name=wiki for-action=/save');
    expect([await names(), codes(element), element.form]).to.deep.equal([['t'], [], placed]);
    placed.setAttribute('action', '/other');
    await settled();
    expect([await names(), codes(element)]).to.deep.equal([[], ['form-not-found']]);
    placed.setAttribute('action', '/save');
    await settled();
    expect([await names(), codes(element)]).to.deep.equal([['t'], []]);
    place(`<div data-webmcp-ignore>${wiki('/save')}</div>`);
    await settled();
    expect([await names(), codes(element)]).to.deep.equal([['t'], []]);
    const other = place(wiki('/save'));
    await settled();
    expect([await names(), codes(element)]).to.deep.equal([[], ['form-not-found']]);
    expect(element.diagnostics[0]?.message).to.match(
      /^Several elements have the name "wiki" and the action "\/save", such as the form \d+ and the form \d+\. Rename one, or exclude/,
    );
    other.remove();
    await settled();
    expect([await names(), codes(element)]).to.deep.equal([['t'], []]);
    element.forName = 'none';
    await settled();
    expect(element.diagnostics[0]?.message).to.equal(
      'No form has the name "none" and the action "/save" in the document or shadow root of this <webmcp-tool>. Correct the for-name and for-action attribute.',
    );
  });

  it('finds a form inside, at any depth', async () => {
    const element = await addTool('name=t description=d', [`<div><p>${form('')}</p></div>`]);
    expect([await names(), codes(element)]).to.deep.equal([['t'], []]);
    element.querySelector('form')?.remove();
    await settled();
    expect(Object.keys(await described())).to.deep.equal([]); // a declared tool without parameters
  });

  it('uses none of several forms inside, and names two of them', async () => {
    const element = await addTool('name=t description=d', [`<form><input name=theirs></form>${form('')}`]);
    expect([await names(), codes(element)]).to.deep.equal([[], ['form-not-found']]);
    expect(element.diagnostics[0]?.message).to.match(
      /^Several forms are inside, such as the form.* Set for, or exclude /,
    );
    element.querySelector('form')?.remove();
    await settled();
    expect([await names(), codes(element)]).to.deep.equal([['t'], []]);
  });

  it('ignores a form inside in excluded content', async () => {
    const other = '<div data-webmcp-ignore><form><input name=theirs></form></div>';
    await addTool('name=t description=d', [`${other}<div>${form('')}</div>`]);
    expect(Object.keys(await described()))
      .to.include('email')
      .and.not.to.include('theirs');
  });

  it('ignores elements of the ID in excluded content', async () => {
    place(`<div data-webmcp-ignore><p id=f></p>${form()}</div>`);
    answerEntries(placeForm());
    await addTool('name=t description=d for=f autosubmit');
    expect(await call({ email: 'a@b.example' })).to.equal('[["email","a@b.example"]]');
  });

  it('is not a tool in excluded content', async () => {
    await addTool('name=t description=d');
    place(`<div data-webmcp-ignore>
      <webmcp-tool name=t description=Other></webmcp-tool><webmcp-tool name=u description=d></webmcp-tool>
      <webmcp-tool name=v description=d>${form('')}</webmcp-tool></div>`);
    await settled();
    expect([await names(), await description()]).to.deep.equal([['t'], 'd']);
  });

  it('uses its profile and hints', async function () {
    placeForm(
      'id=f',
      '<input name=n type=number aria-label=N><input name=p type=password aria-label=P><button>Go</button>',
    );
    await addTool('name=t description=d for=f profile=precise sensitive=include consequential-hint');
    const { inputSchema, annotations } = await tool();
    expect(inputSchema).to.have.nested.property('properties.n.type', 'integer');
    expect(inputSchema).to.have.nested.property('properties.p');
    if (!annotations && isNative) this.skip();
    expect(annotations).to.include({ consequentialHint: true, readOnlyHint: false });
  });

  it("uses the profile and the editors of the page's forms, unless it has its own profile", async function () {
    placeForm(
      'id=f',
      '<label>N <input name=n type=number></label><input name=p type=password aria-label=P><button>Go</button>',
    );
    const controller = new AbortController();
    afterTest(() => controller.abort());
    registerForms(document, { profile: 'precise', sensitive: 'include', signal: controller.signal, host });
    const element = await addTool('name=t description=d for=f');
    const schema = async () => {
      const { n, p } = (await described()) as Record<string, { type?: string } | undefined>;
      return [n?.type, p?.type];
    };
    expect(await schema()).to.deep.equal(['integer', 'string']);
    element.profile = 'portable';
    await settled();
    expect(await schema()).to.deep.equal(['integer', undefined]);
    element.profile = 'chromium';
    await settled();
    expect(await schema()).to.deep.equal(['number', 'string']);
    controller.abort();
    element.profile = '';
    await settled();
    expect(await schema()).to.deep.equal(['number', 'string']);
  });

  it('presses the button that submitter names', async () => {
    const buttons = '<button name=a value=1>One</button><button name=a value=2>Two</button>';
    answerEntries(placeForm('id=f', buttons));
    const element = await addTool('name=t description=d for=f autosubmit profile=precise submitter=Two');
    expect(await call({})).to.equal('[["a","2"]]');
    element.setAttribute('submitter', 'a=1');
    expect(await call({})).to.equal('[["a","1"]]');
  });

  it('submits by fetch with response="fetch", without changing the form', async () => {
    const placed = place(`<form id=f action="/echo" method=post>${controls}</form>`);
    const element = await addTool('name=t description=d for=f autosubmit response=fetch');
    const answered = await call({ email: 'a@b.example' });
    expect(answered).to.match(/"status":200/);
    expect([placed.hasAttribute('data-webmcp-response'), codes(element)]).to.deep.equal([false, []]);
  });

  it('does not report a missing form that is optional, and uses the form once it exists', async () => {
    const element = await addTool('name=t description=d for=f optional');
    expect([codes(element), await names()]).to.deep.equal([[], []]);
    const placed = placeForm();
    await settled();
    expect([codes(element), await names()]).to.deep.equal([[], ['t']]);
    placed.remove();
    await settled();
    expect([codes(element), await names()]).to.deep.equal([[], []]);
    element.optional = false;
    await settled();
    expect(codes(element)).to.deep.equal(['form-not-found']);
  });

  it('describes groups of radio buttons and check boxes', async () => {
    const group = (type: string, name: string): string =>
      `<fieldset><label><input type=${type} name=${name} value=1>One</label><label><input type=${type} name=${name} value=2>Two</label></fieldset>`;
    placeForm('id=f', `<fieldset>${group('radio', 'r')}${group('checkbox', 'c')}</fieldset><button>Go</button>`);
    const element = await addTool('name=t description=d for=f', [
      '<webmcp-param name=r description="Which one"></webmcp-param>',
      '<webmcp-param name=c description="Which ones"></webmcp-param>',
    ]);
    const { r, c } = await described();
    expect([r?.description, c?.description]).to.deep.equal(['Which one', 'Which ones']);
    element.setAttribute('profile', 'precise');
    await settled();
    const precise = await described();
    expect([precise.r?.description, precise.c?.description]).to.deep.equal(['Which one', 'Which ones']);
  });

  it('finds a form in its own shadow root only', async () => {
    placeForm();
    const host = document.createElement('div');
    document.body.append(host);
    afterTest(() => host.remove());
    const root = host.attachShadow({ mode: 'open' });
    const element = await addTool('name=t description=inside for=f', [], root);
    expect([await names(), codes(element)]).to.deep.equal([[], ['form-not-found']]);
    root.append(document.createRange().createContextualFragment(form()));
    await settled();
    expect([await names(), codes(element)]).to.deep.equal([['t'], []]);
  });

  it('works if controls clobber the members of the form', async () => {
    const inside = ['elements', 'getAttribute', 'localName', 'id', 'ownerDocument', 'getRootNode', 'closest']
      .map((name) => `<label>${name} <input name=${name}></label>`)
      .join('');
    const placed = placeForm('id=f', `${inside}<button>Go</button>`);
    answerEntries(placed);
    const element = await addTool('name=t description=d for=f autosubmit', [
      '<webmcp-param name=elements description=Elements></webmcp-param>',
    ]);
    expect([(await described()).elements?.description, codes(element)]).to.deep.equal(['Elements', []]);
    expect(await call({ elements: 'x' })).to.contain('["elements","x"]');
  });
});

describe('<webmcp-tool> for a changing form', () => {
  it('follows a form that is added later, removed and replaced', async () => {
    const element = await addTool('name=t description=d for=f');
    expect([await names(), codes(element), element.matches(':state(invalid)')]).to.deep.equal([
      ...[[], ['form-not-found'], true],
    ]);
    const first = placeForm();
    await settled();
    expect([await names(), codes(element), element.matches(':state(invalid)')]).to.deep.equal([['t'], [], false]);
    const other = place(form('id=f', '<label>Name <input name=other></label><button>Go</button>'));
    other.remove();
    first.replaceWith(other);
    await settled();
    expect(Object.keys(await described())).to.deep.equal(['other']);
    other.remove();
    await settled();
    expect([await names(), codes(element)]).to.deep.equal([[], ['form-not-found']]);
  });

  it('follows a change of the ID', async () => {
    const a = placeForm('id=a', '<label>A <input name=a></label><button>Go</button>');
    const b = placeForm('id=b', '<label>B <input name=b></label><button>Go</button>');
    const element = await addTool('name=t description=d for=a');
    element.htmlFor = 'b';
    await settled();
    expect(Object.keys(await described())).to.deep.equal(['b']);
    b.id = 'c';
    await settled();
    expect(codes(element)).to.deep.equal(['form-not-found']);
    a.id = 'b';
    await settled();
    expect(Object.keys(await described())).to.deep.equal(['a']);
    element.removeAttribute('for');
    await settled();
    expect(Object.keys(await described())).to.deep.equal([]);
  });

  it('keeps the tool when the form moves', async () => {
    const placed = placeForm();
    await addTool('name=t description=d for=f');
    const changes = await toolChanges();
    document.body.prepend(placed);
    afterTest(() => placed.remove());
    await settled();
    expect([await names(), await changes()]).to.deep.equal([['t'], 0]);
  });

  it('unregisters the tool with the element, and registers it again', async () => {
    placeForm();
    const element = await addTool('name=t description=d for=f');
    element.remove();
    await settled();
    expect([await names(), element.diagnostics]).to.deep.equal([[], []]);
    document.body.append(element);
    await settled();
    expect(await names()).to.deep.equal(['t']);
    const changes = await toolChanges();
    document.body.prepend(element);
    await settled();
    expect(await changes()).to.equal(0);
  });

  it('reports nothing when the element and the form are removed', async () => {
    const { warn } = console;
    const seen: unknown[] = [];
    console.warn = (...args: unknown[]) => void seen.push(args);
    afterTest(() => (console.warn = warn));
    const placed = placeForm();
    const element = await addTool('name=t description=d for=f', [], placed.parentElement as Element);
    const { parentElement } = element;
    parentElement?.remove();
    await settled();
    expect([await names(), seen]).to.deep.equal([[], []]);
    document.body.append(parentElement as Element);
    await settled();
    placed.remove();
    element.remove();
    await settled();
    expect([await names(), seen]).to.deep.equal([[], []]);
  });

  it('follows changes of the controls and of the parameters', async () => {
    const placed = placeForm();
    const element = await addTool('name=t description=d for=f');
    element.insertAdjacentHTML('beforeend', '<webmcp-param name=email description=First></webmcp-param>');
    await settled();
    expect((await described()).email?.description).to.equal('First');
    element.querySelector('webmcp-param')?.setAttribute('description', 'Second');
    await settled();
    expect((await described()).email?.description).to.equal('Second');
    placed.insertAdjacentHTML('afterbegin', '<label>More <input name=more></label>');
    await settled();
    expect(Object.keys(await described())).to.deep.equal(['more', 'email']);
  });

  it('lets a pending call continue when the description changes', async () => {
    const placed = placeForm();
    answerEntries(placed);
    const element = await addTool('name=t description=d for=f');
    const waits = new Promise<CustomEvent<AwaitUserDetail>>((resolve) =>
      placed.addEventListener('webmcp-await-user', (event) => resolve(event as CustomEvent<AwaitUserDetail>)),
    );
    const running = call({ email: 'a@b.example' });
    await waits;
    element.description = 'Something else.';
    await settled();
    expect(await description()).to.equal('Something else.');
    placed.querySelector('button')?.click();
    expect(await running).to.equal('[["email","a@b.example"]]');
  });

  it('observes the document only while a tool has a form', async () => {
    const observed: Node[] = [];
    const { prototype } = MutationObserver;
    const observe = Reflect.get(prototype, 'observe') as (...args: unknown[]) => undefined;
    prototype.observe = function (...args) {
      if (!(args[0] instanceof ShadowRoot)) observed.push(args[0]); // live forms observe new shadow trees
      observe.apply(this, args);
    };
    afterTest(() => (prototype.observe = observe));
    const declared = await addTool('name=declared description=d');
    expect(observed).to.deep.equal([declared]);
    const elements: Element[] = [];
    for (const id of ['a', 'b', 'c']) elements.push(await addTool(`name=${id} description=d for=${id}`));
    expect(observed).to.deep.equal([declared, elements[0], document, ...elements.slice(1)]);
  });
});

describe('<webmcp-tool> without a usable form', () => {
  it('reports a form that is a tool by its own annotations', async () => {
    const placed = placeForm('id=f data-toolname=own data-tooldescription=d');
    const element = await addTool('name=t description=d for=f');
    expect([await names(), codes(element)]).to.deep.equal([[], ['form-is-annotated']]);
    placed.removeAttribute('data-toolname');
    await settled();
    expect([await names(), codes(element)]).to.deep.equal([['t'], []]);
    placed.setAttribute('data-toolname', 'own');
    await settled();
    expect([await names(), codes(element)]).to.deep.equal([[], ['form-is-annotated']]);
  });

  it('is not a tool while another element uses its form, whichever is first', async () => {
    placeForm();
    const first = await addTool('name=first description=d for=f');
    expect([await names(), first.form]).to.deep.equal([['first'], document.getElementById('f')]);
    const second = await addTool('name=second description=d for=f');
    const third = await addTool('name=third description=d for=f');
    const found = (): readonly unknown[] => [first, second, third].map(codes);
    const taken = ['form-is-taken'];
    expect([await names(), found(), first.form]).to.deep.equal([[], [taken, taken, taken], null]);
    first.remove();
    await settled();
    expect([await names(), found()]).to.deep.equal([[], [[], taken, taken]]);
    third.remove();
    await settled();
    expect([await names(), found()]).to.deep.equal([['second'], [[], [], []]]);
    second.htmlFor = 'other';
    document.body.append(first);
    await settled();
    expect(await names()).to.deep.equal(['first']);
  });

  it('ignores an element for its form in excluded content', async () => {
    placeForm();
    place('<div data-webmcp-ignore><webmcp-tool name=theirs description=d for=f></webmcp-tool></div>');
    const element = await addTool('name=t description=d for=f');
    expect([await names(), codes(element)]).to.deep.equal([['t'], []]);
  });

  it('has no tool while several elements have the ID of its form, whichever is first, and reports two places', async () => {
    placeForm();
    const element = await addTool('name=t description=d for=f optional');
    for (const [where, other] of [
      ['afterbegin', '<form id=f action="https://evil.example/"></form>'],
      ['beforeend', '<form id=f action="https://evil.example/"></form>'],
      ['afterbegin', '<p id=f></p>'],
    ] as const) {
      document.body.insertAdjacentHTML(where, other);
      const added = where === 'beforeend' ? document.body.lastElementChild : document.body.firstElementChild;
      await settled();
      expect([await names(), codes(element)]).to.deep.equal([[], ['form-not-found']]);
      const name = added?.localName === 'p' ? 'p' : 'form';
      expect(element.diagnostics[0]?.message).to.match(
        new RegExp(`^Several elements have the ID "f", such as the ${name} \\d+ and the form \\d+\\. `),
      );
      added?.remove();
      await settled();
      expect([await names(), codes(element)]).to.deep.equal([['t'], []]);
    }
  });

  it('reports an element that is not a form', async () => {
    place('<div id=f></div>');
    const element = await addTool('name=t description=d for=f');
    expect([codes(element), element.diagnostics[0]?.message]).to.deep.equal([
      ...[['form-not-found'], 'The element with the ID "f" is not a form. Correct the for attribute.'],
    ]);
  });
});

describe('diagnostics of <webmcp-tool> with a form', () => {
  it('include those of the compiler for as long as they last', async () => {
    const placed = placeForm('id=f', '<input name=a><button>Go</button>');
    const element = await addTool('name=t description=d for=f');
    expect(element.diagnostics).to.deep.equal([
      {
        code: 'missing-parameter-description',
        severity: 'warning',
        message: 'Nothing describes the control. Add a label or a <webmcp-param>.',
        tool: 't',
        parameter: 'a',
      },
    ]);
    expect(element.matches(':state(invalid)')).to.equal(false);
    placed.insertAdjacentHTML('afterbegin', '<input name=b>');
    await settled();
    expect(element.diagnostics.map(({ parameter }) => parameter)).to.deep.equal(['b', 'a']);
    element.innerHTML =
      '<webmcp-param name=a description=A></webmcp-param><webmcp-param name=b description=B></webmcp-param>';
    await settled();
    expect(element.diagnostics).to.deep.equal([]);
  });

  it('include a parameter that matches no control', async () => {
    const placed = placeForm();
    const element = await addTool('name=t description=d for=f', [
      '<webmcp-param name=mail description=M></webmcp-param>',
    ]);
    expect(element.diagnostics.map(({ code, parameter }) => [code, parameter])).to.deep.equal([
      ['unknown-control', 'mail'],
    ]);
    placed.insertAdjacentHTML('afterbegin', '<input name=mail>');
    await settled();
    expect(element.diagnostics).to.deep.equal([]);
  });

  const different = (place: string): RegExp =>
    new RegExp(`^The form \\d+ \\(#${place}\\) of the page has the same name and is different, so neither is a tool`);

  it('include duplicate-tool-name until a different form of the name is removed', async () => {
    place(form('id=f') + form('id=g', '<label>B <input name=b></label><button>Go</button>'));
    const first = await addTool('name=t description=first for=f');
    const second = await addTool('name=t description=second for=g');
    expect([await names(), codes(first), codes(second)]).to.deep.equal([
      ...[[], ['duplicate-tool-name'], ['duplicate-tool-name']],
    ]);
    expect(first.diagnostics[0]?.message).to.match(different('g'));
    expect(second.diagnostics[0]?.message).to.match(different('f'));
    first.remove();
    await settled();
    expect([await description(), codes(second)]).to.deep.equal(['second', []]);
    expect((await tools()).length).to.equal(1);
  });

  for (const isFirst of [true, false])
    it(`include duplicate-tool-name while ${isFirst ? 'an earlier' : 'a later'} annotated form is different`, async () => {
      if (isFirst) live();
      const annotated = place(
        form('id=g data-toolname=t data-tooldescription=d').replace('javascript:void 0', 'https://evil.example/'),
      );
      placeForm();
      const element = await addTool('name=t description=d for=f');
      if (!isFirst) live();
      await settled();
      expect([await names(), codes(element)]).to.deep.equal([[], ['duplicate-tool-name']]);
      expect(element.diagnostics[0]?.message).to.match(different('g'));
      annotated.removeAttribute('data-toolname');
      await settled();
      expect([await names(), codes(element)]).to.deep.equal([['t'], []]);
    });

  it('do not include duplicate-tool-name for equal forms of two elements, of which the first is the tool', async () => {
    place(form('id=f') + form('id=g'));
    const first = await addTool('name=t description=d for=f');
    const second = await addTool('name=t description=d for=g');
    expect([(await tools()).length, first.form?.id]).to.deep.equal([1, 'f']);
    first.remove();
    await settled();
    expect([await names(), codes(second)]).to.deep.equal([['t'], []]);
  });
});
