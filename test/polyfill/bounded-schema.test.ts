import { expect } from '@open-wc/testing';
import { ajvValidator } from '../../src/polyfill/ajv.js';
import { SchemaPattern } from '../../src/polyfill/schemas/bounded-schema.js';
import { UnsupportedPatternError } from '../../src/linear-pattern.js';

/** The violated keywords of an input, and the warnings. */
async function check(
  schema: object,
  input: object,
): Promise<{ errors: readonly string[]; warnings: readonly string[] }> {
  const { warn } = console;
  const warnings: string[] = [];
  console.warn = (message: string) => warnings.push(message);
  try {
    const validate = await ajvValidator(schema, { name: 't' });
    const errors = await validate(input);
    return { errors: errors.map(({ path, reason }) => `${path} ${reason}`), warnings };
  } finally {
    console.warn = warn;
  }
}

async function refusal(schema: object): Promise<string> {
  const error: unknown = await check(schema, {}).catch((reason: unknown) => reason);
  return error instanceof Error ? error.message : 'it did not refuse';
}

const parameter = (schema: object): object => ({ type: 'object', properties: { a: schema } });

describe('SchemaPattern', () => {
  const patterns = [
    ...[
      '',
      'a',
      '^a$',
      'a|b|',
      '^(?:ab|a)(?:c|bcd)$',
      '(?<n>a)+b',
      'a*?b',
      'x{2}',
      'x{2,}y',
      'x{0,2}$',
      '^x{0}$',
      '(a*)*b',
    ],
    ...[
      '[^a-c]',
      '[\\]a-]+$',
      '^[\\w.-]+@[a-z]+$',
      '\\bfoo\\b',
      '\\Boo',
      '.',
      '^.$',
      '^\\p{L}+$',
      '\\P{L}',
      '\\u{1f600}',
    ],
    ...[
      '\\ud83d\\ude00',
      '\\u0041',
      '\\x41',
      '\\cA',
      '\\n',
      '\\/',
      '\\$',
      '^(|a|b(c|))$',
      '(?:)*a',
      '((a|b)*c|d)+$',
      '\\d{1,3}',
    ],
    ...['^(?=.*\\d)(?=.*[a-z]).{3,}$', '^(?!ab).*$', '(?<=b)c', '(?<!b)c', '(?=a(?=b))', '(?<=^.)b'],
  ];
  const texts = [
    ...[
      '',
      'a',
      'b',
      'ab',
      'abcd',
      'abc',
      'aab',
      'xx',
      'xxy',
      'xxx',
      ']',
      '-',
      'a@b',
      'foo',
      'a foo b',
      'food',
      '😀',
      'é',
      'Ab',
    ],
    ...['A', '\u0001', '\n', '/', '$', 'bc', 'ccc', 'abcd12', '1234', ' ', 'a.b-c@de'],
  ];

  it('matches as the regular expressions of the browser do', () => {
    for (const source of patterns) {
      const [linear, native] = [new SchemaPattern(source), new RegExp(source, 'u')];
      for (const text of texts) expect(linear.test(text), `${source} ${text}`).to.equal(native.test(text));
    }
  });

  it('matches patterns of nested repeats without backtracking', () => {
    for (const source of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', '^(?:(?:a*)*)*$'])
      expect(new SchemaPattern(source).test(`${'a'.repeat(2000)}!`)).to.equal(false);
  });

  it('rejects patterns that need backtracking or too much work', () => {
    const nested = `${'('.repeat(2000)}a${')*'.repeat(2000)}`;
    for (const source of ['(a)\\1', '(?<n>a)\\k<n>', 'a{2001}', '((a{40}){40}){40}', 'a'.repeat(5001), nested])
      expect(() => new SchemaPattern(source), source.slice(0, 20)).to.throw(UnsupportedPatternError);
    expect(() => new SchemaPattern('(')).to.throw(SyntaxError);
    expect(() => new SchemaPattern('(?:a?){200}b').test('a'.repeat(100_000))).to.throw('too long for the pattern');
  });
});

describe("validate: 'ajv' with schemas of third parties", () => {
  it('a pattern with nested repeats does not block the page, and is checked', async () => {
    const schema = parameter({ type: 'string', pattern: '^(a+)+$' });
    expect((await check(schema, { a: `${'a'.repeat(1000)}!` })).errors).to.deep.equal(['/a pattern']);
    expect((await check(schema, { a: 'aaa' })).errors).to.deep.equal([]);
    const ahead = parameter({ pattern: '^(?=(a+)+$)' });
    expect((await check(ahead, { a: `${'a'.repeat(1000)}!` })).errors).to.deep.equal(['/a pattern']);
    const names = { type: 'object', patternProperties: { '^(x+)+$': { type: 'number' } }, additionalProperties: false };
    expect((await check(names, { [`${'x'.repeat(1000)}!`]: 1 })).errors).to.deep.equal([' additionalProperties']);
    expect((await check(names, { xx: 'a' })).errors).to.deep.equal(['/xx type']);
  });

  it('a pattern that needs backtracking is not checked, and reported once', async () => {
    const { errors, warnings } = await check(
      { type: 'object', properties: { a: { pattern: '^(a+)+$\\1' }, b: { not: { pattern: '(.*)\\1' } } } },
      { a: `${'a'.repeat(1000)}!`, b: 'b' },
    );
    expect(errors).to.deep.equal([]);
    expect(warnings.join()).to.match(
      /^The input of the tool "t" is validated in part: the pattern .* a back reference or a modifier\.$/,
    );
  });

  it('references within the schema are checked', async () => {
    const $defs = { 'a/b': { type: 'string', minLength: 2 }, id: { $ref: '#/$defs/a~1b', maxLength: 3 } };
    const schema = { ...parameter({ $ref: '#/$defs/id', allOf: [{ pattern: 'x' }] }), $defs };
    expect((await check(schema, { a: 'y' })).errors).to.deep.equal(['/a pattern', '/a minLength']);
    expect((await check(schema, { a: 'xyyy' })).errors).to.deep.equal(['/a maxLength']);
    expect((await check(schema, { a: 'xy' })).errors).to.deep.equal([]);
  });

  it('recursive and foreign references are not checked, and reported once', async () => {
    for (const schema of [
      parameter({ allOf: [{ $ref: '#' }, { $ref: '#' }] }),
      { allOf: [{ $ref: '#' }] },
      parameter({ $ref: 'https://json-schema.org/draft/2020-12/schema' }),
      parameter({ $ref: '#/__proto__/constructor' }),
      parameter({ $ref: '#/%E0%A4%A' }),
    ]) {
      const { errors, warnings } = await check(schema, { a: { a: { a: 1 } } });
      expect([errors, warnings.length]).to.deep.equal([[], 1]);
    }
  });

  it('references that multiply are refused', async () => {
    const bomb = (combine: (ref: object) => object): object => {
      const names = Array.from({ length: 30 }, (_, index) => String(index));
      const $defs = Object.fromEntries(names.map((name, index) => [name, combine({ $ref: `#/$defs/${index + 1}` })]));
      return { ...parameter({ $ref: '#/$defs/0' }), $defs: { ...$defs, 30: { type: 'string' } } };
    };
    expect(await refusal(bomb((ref) => ({ allOf: [ref, ref] })))).to.contain('more than 5000 subschemas');
    expect(await refusal(bomb((ref) => ({ properties: { a: ref, b: ref } })))).to.contain('more than 5000 subschemas');
  });

  it('huge schemas are refused', async () => {
    const deep = JSON.parse(`${'{"not":'.repeat(200)}{}${'}'.repeat(200)}`) as object;
    expect(await refusal(deep)).to.contain('more than 100 levels');
    expect(await refusal(parameter({ enum: Array.from({ length: 100_000 }, String) }))).to.contain(
      'the limit is 500000',
    );
    const wide = Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`p${index}`, {}]));
    expect(await refusal({ type: 'object', properties: wide })).to.contain('more than 5000 subschemas');
  });

  it('strings of a schema do not reach the generated code', async () => {
    const evil = '"]}`\'\n\u2028);globalThis.injected=1;//*/${globalThis.injected=1}';
    const schema = {
      ...{ $id: evil, $comment: evil, $anchor: evil, title: evil, description: evil, format: evil, [evil]: evil },
      type: 'object',
      properties: { [evil]: { enum: [evil, 1], default: evil }, b: { const: evil }, c: { pattern: '["`\'\\n]' } },
      patternProperties: { [evil.replace(/[^a-z0-9]/g, '.')]: {} },
      required: [evil],
      dependentRequired: { [evil]: [evil] },
    };
    const { errors } = await check(schema, { b: 1 });
    expect(errors).to.have.length(2);
    expect(Object.hasOwn(globalThis, 'injected')).to.equal(false);
  });

  it('$async does not make every input valid', async () => {
    const { errors } = await check({ $async: true, type: 'object', required: ['a'] }, {});
    expect(errors).to.deep.equal(['/a required']);
  });

  it('a schema with the identifier of a meta-schema is validated', async () => {
    const schema = { $id: 'https://json-schema.org/draft/2020-12/schema', type: 'object', required: ['a'] };
    expect((await check(schema, {})).errors).to.deep.equal(['/a required']);
  });
});
