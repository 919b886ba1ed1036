import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonValue } from '../../src/compiler/index.js';
import { submitForm } from '../../gateway/src/index.js';
import { call, failureOf, pageOf, secret } from '../support/gateway/calls.js';

const fetchFails = (): Promise<Response> => Promise.reject(new Error('a request was sent'));
const submit = (controls: string, input: JsonValue, form = ''): ReturnType<typeof submitForm> =>
  call({ html: pageOf(`action=/sent ${form}`, controls), pageUrl: 'https://site.example/p', input, fetch: fetchFails });

describe('submitForm, with an invalid input', () => {
  const cases: readonly (readonly [string, string, JsonValue])[] = [
    ['value-missing', '<input name=a required>', {}],
    ['value-missing', '<input name=a required>', { a: '' }],
    ['value-missing', '<input name=a required type=checkbox>', {}],
    ['value-missing', '<input name=a required type=radio value=1><input name=a type=radio value=2>', {}],
    ['value-missing', '<input name=a required type=file>', {}],
    ['value-missing', '<select name=a required><option value>none<option>1</select>', {}],
    ['value-missing', '<select name=a required multiple><option>1</select>', { a: [] }],
    ['value-missing', '<textarea name=a required></textarea>', {}],
    ['type-mismatch', '<input name=a type=email>', { a: 'x' }],
    ['type-mismatch', '<input name=a type=email multiple>', { a: ['x@y.example', 'z'] }],
    ['type-mismatch', '<input name=a type=url>', { a: 'x.example' }],
    ['pattern-mismatch', '<input name=a pattern="[a-z]{3}">', { a: 'abcd' }],
    ['pattern-mismatch', '<input name=a pattern="a|b">', { a: 'ab' }],
    ['too-long', '<input name=a maxlength=3>', { a: 'abcd' }],
    ['too-short', '<textarea name=a minlength=3></textarea>', { a: 'ab' }],
    ['range-underflow', '<input name=a type=number min=3>', { a: 2 }],
    ['range-overflow', '<input name=a type=number max=3>', { a: 4 }],
    ['step-mismatch', '<input name=a type=number step=0.1>', { a: 0.25 }],
    ['step-mismatch', '<input name=a type=number>', { a: 0.5 }],
    ['range-underflow', '<input name=a type=date min=2024-02-02>', { a: '2024-02-01' }],
    ['range-overflow', '<input name=a type=month max=2024-02>', { a: '2024-03' }],
    ['step-mismatch', '<input name=a type=time step=3600>', { a: '12:30' }],
    ['range-underflow', '<input name=a type=time min=22:00 max=06:00>', { a: '12:00' }],
    ['wrong-type', '<input name=a type=number>', { a: 'x' }],
    ['not-offered', '<select name=a><option>1</select>', { a: '2' }],
    ['unknown-parameter', '', { a: 1 }],
    ...(
      [
        ['range-overflow', { type: 'integer', maximum: 5 }, 9],
        ['range-underflow', { minimum: 1 }, 0],
        ['step-mismatch', { multipleOf: 2 }, 3],
        ['too-long', { type: 'string', maxLength: 2 }, 'abc'],
        ['too-short', { minLength: 4 }, 'abc'],
        ['pattern-mismatch', { pattern: '^[a-z]+$' }, 'a1'],
        ['pattern-mismatch', { pattern: '^(a+)+\\d' }, 'a'.repeat(200)],
        ['custom-error', { type: 'array', uniqueItems: true }, [1, 2, 1]],
        ['custom-error', { type: 'array', maxItems: 1 }, [1, 2]],
        ['pattern-mismatch', { type: 'string', pattern: '^a|b$' }, 'bx'],
        ['custom-error', { type: 'array', items: { type: 'integer', maximum: 5 } }, [1, 9]],
        ['custom-error', { type: 'object', required: ['x'] }, {}],
        ['custom-error', { properties: { x: { enum: ['y'] } }, additionalProperties: false }, { x: 'y', z: 1 }],
        ['custom-error', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 1],
        ['wrong-type', { type: 'integer' }, 'x'],
        ['not-offered', { enum: [1, 2] }, 3],
      ] as const
    ).map(([code, schema, value]): readonly [string, string, JsonValue] => [
      code,
      `<x-a name=a toolparamschema='${JSON.stringify(schema)}'></x-a>`,
      { a: value as JsonValue },
    ]),
  ];
  for (const [code, controls, input] of cases) {
    it(`sends nothing and reports ${code} for ${controls} with ${JSON.stringify(input)}`, async () => {
      const { parameters } = await failureOf(submit(controls, input), 'schema-error');
      assert.deepEqual(
        parameters.map((each) => [each.parameter, each.code]),
        [['a', code]],
      );
      assert.match(parameters[0]!.message, /^(?:Parameter "a" .+\.|The tool has no parameter "a"\.(?: .+\.)?)$/);
    });
  }

  it('reports all errors at once', async () => {
    const controls = '<input name=a required><input name=b type=number><input name=c type=email><input name=d>';
    const { parameters, message } = await failureOf(submit(controls, { b: 'x', c: 'y', d: 'z', e: 1 }), 'schema-error');
    assert.deepEqual(parameters.map(({ parameter, code }) => `${parameter}: ${code}`).sort(), [
      'a: value-missing',
      'b: wrong-type',
      'c: type-mismatch',
      'e: unknown-parameter',
    ]);
    for (const { message: each } of parameters) assert.ok(message.includes(each));
  });

  it('sends values of custom elements that match their schemas, and leaves other keywords to the site', async () => {
    for (const [schema, value] of [
      [{ type: 'integer', maximum: 5 }, 5],
      [{ type: 'string', pattern: '^(a+)+$' }, 'a'.repeat(200)],
      [{ type: 'string', pattern: '^a|b$' }, 'xb'],
      [{ type: 'string', pattern: '^(a|b)\\1$' }, 'ab'],
      [{ $ref: '#' }, 1],
      [{ $id: ':', not: { pattern: 'a' }, oneOf: [{ format: 'x' }, {}] }, 'a'],
      [{ patternProperties: { '(a+)+$': {} }, additionalProperties: false }, { b: 1 }],
      [{ type: 'array', items: { uniqueItems: true } }, [[1, 1]]],
    ] as const) {
      const controls = `<x-a name=a toolparamschema='${JSON.stringify(schema)}'></x-a>`;
      await failureOf(submit(controls, { a: value as JsonValue }), 'upstream-unreachable'); // it is sent
    }
  });

  it('rejects an input that is not an object', async () => {
    for (const input of [null, [], 'x', 1]) await failureOf(submit('<input name=a>', input), 'schema-error');
  });

  for (const [name, form, controls] of [
    ['a form with novalidate', 'novalidate', '<input name=a required><input name=b type=email>'],
    [
      'a default button with formnovalidate',
      '',
      '<input name=a required><input name=b type=email><button formnovalidate>Go</button>',
    ],
  ] as const) {
    it(`checks the constraints of the parameters of ${name}`, async () => {
      const { parameters } = await failureOf(submit(controls, { b: 'x' }, form), 'schema-error');
      assert.deepEqual(
        parameters.map(({ parameter, code }) => [parameter, code]),
        [
          ['a', 'value-missing'],
          ['b', 'type-mismatch'],
        ],
      );
    });
  }

  it('checks no constraint if the input selects a button with formnovalidate', async () => {
    const buttons = '<button name=go value=send>Send</button><button name=go value=draft formnovalidate>Draft</button>';
    const controls = `<input name=a required><input name=b type=email>${buttons}`;
    await failureOf(submit(controls, { b: 'x', go: 'draft' }), 'upstream-unreachable');
    await failureOf(submit(controls, { b: 'x', go: 'send' }), 'schema-error');
  });

  it('checks no control that the input omits if the form has novalidate', async () => {
    const controls = '<input type=email name=a value=x><input required><input name=b>';
    await failureOf(submit(controls, { b: 'x' }, 'novalidate'), 'upstream-unreachable');
  });

  it('reports no sensitive value', async () => {
    const controls = '<input type=password name=p minlength=20><input name=q>';
    const html = pageOf('method=post action=/sent', controls);
    const options = { html, pageUrl: 'https://site.example/p', fetch: fetchFails, sensitive: 'include' } as const;
    await failureOf(call({ ...options, input: { p: secret } }), 'schema-error');
    await failureOf(call({ ...options, input: { p: [secret] } }), 'schema-error');
    await failureOf(call({ ...options, input: { x: secret } }), 'schema-error');
  });

  it('checks patterns that would hang a browser', async () => {
    const text = `${'a'.repeat(50_000)}!`;
    for (const pattern of ['(a+)+', '(a|a)*', '(a*)*b', '(?=(a+)+$)a*', 'a*a*a*a*a*b']) {
      const controls = `<input name=a pattern="${pattern}">`;
      await failureOf(submit(controls, { a: text }), 'schema-error');
    }
  });

  it('does not check patterns that the matcher does not support', async () => {
    for (const pattern of ['((a{1,100}){1,100}){1,100}', '(a)\\1', '(?i:a)']) {
      await failureOf(submit(`<input name=a pattern="${pattern}">`, { a: '!' }), 'upstream-unreachable');
    }
  });
});

describe('submitForm, with a tool that cannot be submitted', () => {
  it('rejects a tool without a form', async () => {
    const tool = { name: 't', description: 't' };
    await failureOf(
      submitForm({ tool, pageUrl: 'https://site.example/', input: {}, fetch: fetchFails }),
      'not-submittable',
    );
  });

  for (const form of [
    'action="javascript:alert(1)"',
    'action="mailto:a@b.example"',
    'action="data:text/html,x" method=post',
    'action="file:///etc/passwd"',
    'action="http://"',
    'method=dialog',
  ]) {
    it(`rejects a form with ${form}`, async () => {
      const html = pageOf(form, '<input name=a>');
      await failureOf(call({ html, pageUrl: 'https://site.example/', fetch: fetchFails }), 'not-submittable');
    });
  }

  it('rejects a submit button without a destination over HTTP', async () => {
    const button = '<button formaction="javascript:1">Go</button>';
    await failureOf(submit(button, {}), 'not-submittable');
    await failureOf(submit('<button formmethod=dialog>Go</button>', {}), 'not-submittable');
  });

  it('resolves the action against the page if the base is invalid', async () => {
    const html = `<base href="http://:0/">${pageOf('action=there', '')}`;
    const sent: string[] = [];
    await failureOf(
      call({ html, pageUrl: 'https://site.example/a/b', fetch: (url) => (sent.push(url), fetchFails()) }),
      'upstream-unreachable',
    );
    assert.deepEqual(sent, ['https://site.example/a/there?']);
  });

  it('rejects a form with an invalid control that is not a parameter', async () => {
    const { message } = await failureOf(submit('<input required><input name=a>', {}), 'not-submittable');
    assert.match(message, /control/);
  });

  it('rejects an action on another origin unless it is allowed', async () => {
    const html = pageOf('action=https://other.example/sent', '<input name=a>');
    const options = { html, pageUrl: 'https://site.example/', fetch: fetchFails };
    await failureOf(call(options), 'action-elsewhere');
    await failureOf(call({ ...options, origins: ['https://other.example'] }), 'upstream-unreachable');
  });

  it('rejects origins that are not URLs', async () => {
    const options = {
      html: pageOf('', ''),
      pageUrl: 'https://site.example/',
      fetch: fetchFails,
      origins: ['other.example'],
    };
    await failureOf(call(options), 'config-error');
  });

  it('limits the time of all patterns together, and ends at the first that exceeds it', async () => {
    const controls = Array.from({ length: 100 }, (_, at) => `<input name=a${at} pattern="(?:(?!.*x)a)*b">`).join('');
    const values = Array.from({ length: 100 }, (_, at) => [`a${at}`, 'a'.repeat(10_000)]);
    const { parameters } = await failureOf(submit(controls, Object.fromEntries(values) as JsonValue), 'schema-error');
    assert.equal(parameters.length, 1);
  });
});

describe('submitForm, with an invalid configuration', () => {
  const html = pageOf('method=post action=/sent', '<input type=password required name=p><input name=q>');
  const options = { html, pageUrl: 'https://site.example/', fetch: fetchFails };

  it('rejects a configuration without the value of a required sensitive control', async () => {
    const { message } = await failureOf(call(options), 'config-error');
    assert.match(message, /"p"/);
  });

  for (const [name, config] of Object.entries({
    'a control that the form does not have': { values: { p: secret, x: secret } },
    'a control of the agent': { values: { p: secret, q: secret } },
    'more values than controls': { values: { p: [secret, secret] } },
    'a value that sanitization changes': { values: { p: `${secret}\n` } },
    'an invalid header': { values: { p: secret }, headers: { 'x-key': `${secret}\nx` } },
    'an invalid header name': { values: { p: secret }, headers: { 'x key': secret } },
    'a header that the gateway sets': { values: { p: secret }, headers: { 'Content-Type': secret } },
    'a cookie that is not ASCII': { values: { p: secret }, headers: { Cookie: `${secret}é😀` } },
  })) {
    it(`rejects ${name}`, async () => {
      await failureOf(call({ ...options, config }), 'config-error');
    });
  }

  it('rejects a value that violates a constraint', async () => {
    const long = pageOf('method=post action=/sent', '<input type=password name=p maxlength=3>');
    await failureOf(call({ ...options, html: long, config: { values: { p: secret } } }), 'config-error');
    const number = pageOf('method=post action=/sent', '<input type=number autocomplete=cc-number name=p>');
    await failureOf(call({ ...options, html: number, config: { values: { p: secret } } }), 'config-error');
  });

  it('rejects a page without an absolute URL', async () => {
    for (const pageUrl of ['/p', 'ftp://site.example/', `about:blank?${secret}`]) {
      await failureOf(call({ ...options, config: { values: { p: secret } }, pageUrl }), 'config-error');
    }
  });
});
