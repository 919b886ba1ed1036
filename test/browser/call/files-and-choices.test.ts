import { expect } from '@open-wc/testing';
import type { JsonSchema } from '../../../src/index.js';
import { setState } from '../../../src/browser/dom/control-state.js';
import {
  answerEntries,
  call,
  errorCodes,
  live,
  names,
  place,
  placeTool,
  rejection,
  tool,
  whereNotNative,
} from '../../support/browser/live.js';

const properties = async (name?: string): Promise<Readonly<Record<string, JsonSchema>>> =>
  ((await tool(name)).inputSchema as { properties?: Record<string, JsonSchema> }).properties ?? {};

const startPrecise = (): AbortController => live({ profile: 'precise' });

/** Places a tool that responds with its entries, and calls it. */
async function entriesOf(controls: string, input: object): Promise<unknown> {
  startPrecise();
  answerEntries(placeTool(controls));
  return JSON.parse((await call(input)) as string);
}

/** Places a tool, and returns the errors of a call. */
async function faultsOf(controls: string, input: object): Promise<readonly string[]> {
  startPrecise();
  placeTool(controls);
  return errorCodes(call(input));
}

const file = (name: string, content: string) => ({ name, mediaType: 'text/plain', content: btoa(content) });

/** Responds to the submissions of a form with the files of a control. */
function answerFiles(form: HTMLFormElement, name = 'f'): void {
  const read = async (entry: FormDataEntryValue) => {
    const file = entry as File;
    return [file.name, file.type, await file.text()];
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    event.respondWith(Promise.all(new FormData(form).getAll(name).map(read)));
  });
}

whereNotNative('a file control', () => {
  it('accepts a file with its name, media type and content', async () => {
    startPrecise();
    answerFiles(placeTool('<input type=file name=f>'));
    expect(await call({ f: file('a.txt', 'hello') })).to.equal('[["a.txt","text/plain","hello"]]');
    const bytes = { name: 'ü "x".bin', content: btoa('\x00\xff') };
    expect(await call({ f: bytes })).to.equal(JSON.stringify([['ü "x".bin', '', '\x00\ufffd']]));
  });

  it('accepts several files, or one, with the attribute multiple', async () => {
    startPrecise();
    const form = placeTool('<input type=file name=f multiple>');
    answerFiles(form);
    const [a, b] = [file('a', '1'), file('b', '')];
    expect(await call({ f: [a, b] })).to.equal('[["a","text/plain","1"],["b","text/plain",""]]');
    expect(await call({ f: a })).to.equal('[["a","text/plain","1"]]');
    expect(await call({ f: [] })).to.equal('[["","application/octet-stream",""]]');
  });

  for (const [what, value] of [
    ['content that is not base64', { name: 'a', content: 'not base64!' }],
    ['truncated base64', { name: 'a', content: 'abc' }],
    ['base64 with a wrong end', { name: 'a', content: 'a===' }],
    ['base64url', { name: 'a', content: '_-==' }],
    ['base64 with white space', { name: 'a', content: 'ab c' }],
    ['no content', { name: 'a' }],
    ['no name', { content: 'YQ==' }],
    ['an empty name', { name: '', content: 'YQ==' }],
    ['a media type that is not a string', { name: 'a', mediaType: 1, content: 'YQ==' }],
    ['text', 'YQ=='],
    ['a list', [{ name: 'a', content: 'YQ==' }]],
  ] as const) {
    it(`rejects ${what}`, async () => {
      expect(await faultsOf('<input type=file name=f>', { f: value })).to.deep.equal(['f: wrong-type']);
    });
  }

  it('rejects a list with an invalid file, and sets none of the files', async () => {
    startPrecise();
    const form = placeTool('<input type=file name=f multiple>');
    expect(await errorCodes(call({ f: [file('a', '1'), { name: 'b', content: '!' }] }))).to.deep.equal([
      'f: wrong-type',
    ]);
    expect((form.elements[0] as HTMLInputElement).files?.length).to.equal(0);
  });

  it('reports value-missing if it is required and the input has no file', async () => {
    startPrecise();
    answerFiles(placeTool('<input type=file name=f required><input name=a>'));
    expect((await tool()).inputSchema).to.have.deep.property('required', ['f']);
    expect(await errorCodes(call({ a: 'x' }))).to.deep.equal(['f: value-missing']);
    expect(await call({ f: file('a.txt', 'x') })).to.equal('[["a.txt","text/plain","x"]]');
  });

  it('has the previous file again if another control is invalid', async () => {
    startPrecise();
    const form = placeTool('<input type=file name=f><input name=a maxlength=1>');
    const input = form.elements[0] as HTMLInputElement;
    const before = new File(['old'], 'old.txt');
    setState(input, { kind: 'files', files: [before] });
    expect(await errorCodes(call({ f: file('new.txt', 'new'), a: 'xx' }))).to.deep.equal(['a: too-long']);
    expect([input.files?.length, input.files?.[0]?.name]).to.deep.equal([1, 'old.txt']);
  });
});

const buttons = `<input name=a required>
  <button name=act value=save>Save</button><button name=act value=delete formnovalidate>Delete</button>`;

/** Responds to the submissions of a form with its submitter and the entries. */
function answerSubmitter(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { submitter } = event;
    event.respondWith([submitter?.textContent, ...new FormData(form, submitter).getAll('act')]);
  });
}

whereNotNative('a choice among submit buttons', () => {
  it('is a parameter with the values and labels of the buttons, and the first one is the default', async () => {
    startPrecise();
    placeTool(buttons);
    expect((await properties()).act).to.deep.include({
      default: 'save',
      anyOf: [
        { const: 'save', title: 'Save' },
        { const: 'delete', title: 'Delete' },
      ],
    });
  });

  for (const [what, input, answer] of [
    ['the chosen button', { a: 'x', act: 'delete' }, '["Delete","delete"]'],
    ['the chosen button, without validation if it has formnovalidate', { act: 'delete' }, '["Delete","delete"]'],
    ['the first button by default', { a: 'x' }, '["Save","save"]'],
  ] as const) {
    it(`submits with ${what}`, async () => {
      startPrecise();
      answerSubmitter(placeTool(buttons));
      expect(await call(input)).to.equal(answer);
    });
  }

  for (const [input, found] of [
    [{ act: 'save' }, ['a: value-missing']],
    [{ a: 'x', act: 'other' }, ['act: not-offered']],
    [{ a: 'x', act: 1 }, ['act: not-offered']],
    [{ a: 'x', act: ['save'] }, ['act: wrong-type']],
  ] as [object, string[]][]) {
    it(`rejects ${JSON.stringify(input)}`, async () => {
      expect(await faultsOf(buttons, input)).to.deep.equal(found);
    });
  }

  for (const [what, controls, input, entries] of [
    ['their names', '<button name=save>S</button><button name=send>T</button>', { submitter: 'send' }, [['send', '']]],
    [
      'their names and values',
      '<button name=b value=1>1</button><button name=b value=2>2</button><button name=c value=1>3</button>',
      { submitter: 'c=1' },
      [['c', '1']],
    ],
    [
      'their values if a control has the same name',
      '<input name=act><button name=act value=1>1</button><button name=act value=2>2</button>',
      { act: 'x', submitter: '2' },
      [
        ['act', 'x'],
        ['act', '2'],
      ],
    ],
    ['nothing if there is only one', '<button name=b value=1>1</button><button>2</button>', {}, [['b', '1']]],
  ] as [string, string, object, unknown][]) {
    it(`distinguishes the buttons by ${what}`, async () => {
      expect(await entriesOf(controls, input)).to.deep.equal(entries);
    });
  }

  it('ignores a disabled button', async () => {
    const controls = '<button name=b value=1 disabled>1</button><button name=b value=2>2</button>';
    expect(await entriesOf(controls, {})).to.deep.equal([['b', '2']]);
  });

  it('is the submitter of webmcp-await-user', async () => {
    startPrecise();
    const form = placeTool(buttons, '');
    answerSubmitter(form);
    const awaitUserEvent = new Promise<CustomEvent<{ submitter: HTMLElement }>>((resolve) =>
      form.addEventListener('webmcp-await-user', (event) => resolve(event as never), { once: true }),
    );
    const result = call({ act: 'delete' });
    const { submitter } = (await awaitUserEvent).detail;
    expect([submitter.textContent, document.activeElement === submitter]).to.deep.equal(['Delete', true]);
    submitter.click();
    expect(await result).to.equal('["Delete","delete"]');
  });

  it('selects an image button if that is the default button', async () => {
    const controls = '<input name=a><input type=image name=go alt=Go><button name=b value=1>1</button>';
    expect(await entriesOf(controls, { a: 'x' })).to.deep.equal([
      ['a', 'x'],
      ['go.x', '0'],
      ['go.y', '0'],
    ]);
  });
});

const choices = (type: string): string =>
  `<fieldset><legend>G</legend><label><input type=${type} name=c value=a> A</label>
    <label><input type=${type} name=c value=b> B</label><input type=${type} name=c value=x disabled></fieldset>`;

const select = (attributes: string): string =>
  `<select name=s ${attributes}><option value=a>A<option value=b>B<option value=c>C<option value=x disabled>X</select>`;

const shared: [what: string, controls: string, input: object, entries: unknown][] = [
  [
    'two controls of one name by a list',
    '<input name=a[]><input name=a[]>',
    { 'a[]': ['1', '2'] },
    [
      ['a[]', '1'],
      ['a[]', '2'],
    ],
  ],
  [
    'two controls of one name and different types',
    '<input name=a><input name=a type=number>',
    { a: ['1', 2] },
    [
      ['a', '1'],
      ['a', '2'],
    ],
  ],
  [
    'a checkbox with a hidden control of its name',
    '<input type=hidden name=c value=0><input type=checkbox name=c value=1>',
    { c: true },
    [
      ['c', '0'],
      ['c', '1'],
    ],
  ],
  [
    'a checkbox to clear, with a hidden control of its name',
    '<input type=hidden name=c value=0><input type=checkbox name=c value=1 checked>',
    { c: false },
    [['c', '0']],
  ],
  [
    'a hidden control with a description',
    '<input type=hidden name=h toolparamdescription=H>',
    { h: 'x' },
    [['h', 'x']],
  ],
  [
    'a control with suggestions, with a suggestion',
    '<input name=d list=l><datalist id=l><option>x</datalist>',
    { d: 'x' },
    [['d', 'x']],
  ],
  [
    'a control with suggestions, with another value',
    '<input name=d list=l><datalist id=l><option>x</datalist>',
    { d: 'y' },
    [['d', 'y']],
  ],
  [
    'a select of several values',
    select('multiple'),
    { s: ['c', 'a'] },
    [
      ['s', 'a'],
      ['s', 'c'],
    ],
  ],
  ['a select of several values, with no value', '<select name=s multiple><option selected>a</select>', { s: [] }, []],
  ['a select', select(''), { s: 'b' }, [['s', 'b']]],
  ['a radio group', choices('radio'), { c: 'b' }, [['c', 'b']]],
  [
    'checkboxes of one name',
    choices('checkbox'),
    { c: ['b', 'a'] },
    [
      ['c', 'a'],
      ['c', 'b'],
    ],
  ],
  [
    'checkboxes of one name, with no value',
    '<input type=checkbox name=c value=a checked><input type=checkbox name=c value=b>',
    { c: [] },
    [],
  ],
];

const rejectedInputs: [what: string, controls: string, input: object, found: string[]][] = [
  [
    'too few values for controls of one name',
    '<input name=a[]><input name=a[]>',
    { 'a[]': ['1'] },
    ['a[]: wrong-count'],
  ],
  ['one value for controls of one name', '<input name=a[]><input name=a[]>', { 'a[]': '1' }, ['a[]: wrong-type']],
  ['a hidden control without a description', '<input type=hidden name=h>', { h: 'x' }, ['h: unknown-parameter']],
  ['a value twice', select('multiple'), { s: ['a', 'a'] }, ['s: duplicate-value']],
  ['a value that a select does not offer', select('multiple'), { s: ['a', 'z'] }, ['s: not-offered']],
  ['an option that is disabled', select('multiple'), { s: ['x'] }, ['s: not-offered']],
  ['a string for a multiple select', select('multiple'), { s: 'a' }, ['s: wrong-type']],
  ['no value where one is required', select('multiple required'), { s: [] }, ['s: value-missing']],
  ['a list for a single select', select(''), { s: ['a'] }, ['s: wrong-type']],
  [
    'the placeholder of a required select',
    '<select name=s required><option value>-<option>a</select>',
    { s: '' },
    ['s: not-offered'],
  ],
  ['a radio button that is disabled', choices('radio'), { c: 'x' }, ['c: not-offered']],
  [
    'no radio button where one is required',
    '<input type=radio name=c value=a required><input type=radio name=c value=b required>',
    {},
    ['c: value-missing'],
  ],
  ['a checkbox that is disabled', choices('checkbox'), { c: ['a', 'x'] }, ['c: not-offered']],
  [
    'a required checkbox that is cleared',
    '<input type=checkbox name=c required checked>',
    { c: false },
    ['c: value-missing'],
  ],
];

whereNotNative('a tool of the profile precise', () => {
  for (const [what, controls, input, entries] of shared) {
    it(`fills ${what}`, async () => {
      expect(await entriesOf(controls, input)).to.deep.equal(entries);
    });
  }

  for (const [what, controls, input, found] of rejectedInputs) {
    it(`rejects ${what}`, async () => {
      expect(await faultsOf(controls, input)).to.deep.equal(found);
    });
  }

  it('has the suggestions of a datalist in its schema', async () => {
    startPrecise();
    placeTool('<input name=d list=l><datalist id=l><option>x<option value=y>Y</datalist>');
    expect((await properties()).d?.examples).to.deep.equal(['x', 'y']);
  });

  it('fires one event of each type for a select, and clicks only the checkboxes that change', async () => {
    startPrecise();
    const form = placeTool(
      `${select('multiple')}<input type=checkbox name=c value=a checked><input type=checkbox name=c value=b>`,
    );
    const events: string[] = [];
    for (const type of ['click', 'input', 'change']) {
      form.addEventListener(type, ({ target }) => events.push(`${(target as HTMLInputElement).value} ${type}`));
    }
    answerEntries(form);
    await call({ s: ['b', 'c'], c: ['a', 'b'] });
    expect(events).to.deep.equal(['b input', 'b change', 'b click', 'b input', 'b change']);
  });

  it('fills its own form if several tools are called at once', async () => {
    startPrecise();
    const all = ['u', 'v', 'w'];
    const page = place(
      all.map((name) => `<form toolname=${name} tooldescription toolautosubmit><input name=a></form>`).join(''),
    ).parentElement as Element;
    page.querySelectorAll('form').forEach(answerEntries);
    expect(await names()).to.deep.equal(all);
    const results = await Promise.all(all.map((name) => call({ a: name }, {}, name)));
    expect(results).to.deep.equal(['[["a","u"]]', '[["a","v"]]', '[["a","w"]]']);
  });

  it('can be a form that is annotated by data-toolname', async () => {
    startPrecise();
    const form = place(`<form data-toolname=t data-tooldescription=D data-tooltitle=T data-toolautosubmit>
      <input name=a data-toolparamdescription=A></form>`);
    answerEntries(form);
    const { description, title } = await tool();
    expect({ description, title }).to.deep.equal({ description: 'D', title: 'T' });
    expect(await properties()).to.have.nested.property('a.description', 'A');
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
    form.removeAttribute('data-tooldescription');
    expect(await names()).to.deep.equal([]);
  });
});

const secret = 'hunter-2-@secret';

const sensitiveControls = [
  '<input name=p type=password>',
  '<input name=p autocomplete=cc-number>',
  '<input name=p autocomplete="section-x billing cc-csc">',
  '<input name=p autocomplete=one-time-code>',
  '<textarea name=p autocomplete=current-password></textarea>',
];

/** Errors of a sensitive value. */
const wrongSecrets: [
  what: string,
  controls: string,
  input: object,
  options?: { page?: (form: HTMLFormElement) => void },
][] = [
  ['does not match', '<input name=p type=password pattern="[0-9]+">', { p: secret }],
  ['is too long', '<input name=p type=password maxlength=3>', { p: secret }],
  ['is not an e-mail address', '<input name=p type=email autocomplete=one-time-code>', { p: 'hunter' }],
  ['is off a step', '<input name=p type=number autocomplete=one-time-code>', { p: 123454321.5 }],
  ['is beyond a limit', '<input name=p type=number autocomplete=one-time-code max=5>', { p: 123454321 }],
  ['is of the wrong type', '<input name=p type=number autocomplete=cc-number>', { p: secret }],
  ['has a line break', '<input name=p type=password>', { p: `${secret}\n` }],
  ['is not offered', '<select name=p autocomplete=cc-exp-year><option>27</select>', { p: secret }],
  ['has another name', '<input name=p type=password>', { q: secret }],
  ['is not an object', '<input name=p type=password>', [secret]],
  [
    'is not kept',
    '<input name=p type=password>',
    { p: secret },
    {
      page: (form) =>
        form.addEventListener('input', ({ target }) => ((target as HTMLInputElement).value = 'hunter-2-@')),
    },
  ],
];

whereNotNative('a sensitive control', () => {
  for (const control of sensitiveControls) {
    it(`is a parameter with the option sensitive set to include: ${control}`, async () => {
      live({ profile: 'precise', sensitive: 'include' });
      const form = placeTool(`<input name=a>${control}`);
      answerEntries(form);
      expect(Object.keys(await properties())).to.deep.equal(['a', 'p']);
      expect(await call({ a: 'x', p: secret })).to.equal(JSON.stringify([...[['a', 'x']], ['p', secret]]));
    });

    it(`is left to the user with the option sensitive set to exclude: ${control}`, async () => {
      startPrecise();
      const form = placeTool(`<input name=a>${control}<button>Go</button>`);
      answerEntries(form);
      expect(Object.keys(await properties())).to.deep.equal(['a']);
      const error = await rejection(call({ a: 'x', p: secret }));
      expect(error.errors.map(({ code, received }) => [code, received])).to.deep.equal([
        ['unknown-parameter', '(not shown)'],
      ]);
      const awaitUserEvent = new Promise((resolve) =>
        form.addEventListener('webmcp-await-user', resolve, { once: true }),
      );
      const result = call({ a: 'x' });
      await awaitUserEvent;
      form.querySelector('button')?.click();
      expect(await result).to.equal('[["a","x"],["p",""]]');
    });
  }

  for (const [what, controls, input, { page } = {}] of wrongSecrets) {
    it(`is not revealed by an error if it ${what}`, async () => {
      live({ profile: 'precise', sensitive: 'include' });
      const form = placeTool(controls);
      page?.(form);
      const { errors, message } = await rejection(call(input));
      const text = JSON.stringify(errors) + message;
      for (const part of ['hunter', '12345']) expect(text).not.to.contain(part);
      expect(errors.map(({ received }) => received)).to.deep.equal(['(not shown)']);
    });
  }

  it('does not reveal its value in the schema', async () => {
    live({ profile: 'precise', sensitive: 'include' });
    placeTool(`<input name=p type=password value=${secret}><input name=q autocomplete=cc-number value=${secret}>`);
    expect(JSON.stringify((await tool()).inputSchema)).not.to.contain('hunter');
  });
});
