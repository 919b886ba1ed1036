import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import ts from 'typescript';
import { compileHtml, createManifest, types, type Manifest, type ManifestPage } from '../../src/build.js';
import { typeOf } from '../../src/types/schema-type.js';
import { makeFolder, runInProcess, toolForm } from '../support/cli/running.js';

const site = (pages: readonly ManifestPage[]): Manifest =>
  createManifest(pages, { name: 'site', description: '', version: '1.0.0', profile: 'precise' });

const typesOf = (html: string): string => types(site([compileHtml(html, { path: 'index.html' })]));

/** The types of a page with a tool that has this schema. */
function typesOfSchema(inputSchema: object, description = 'Finds.'): string {
  const page = compileHtml(toolForm('find'), { path: 'index.html' });
  const tools = page.tools.map((tool) => ({ ...tool, description, inputSchema }));
  return types(site([{ ...page, tools }]));
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const libraries = new Map<string, ts.SourceFile | undefined>();

/** The errors of the TypeScript compiler for files next to this one, with --strict --lib ES2022,DOM. */
function errorsOf(files: Readonly<Record<string, string>>, more: ts.CompilerOptions = {}): readonly string[] {
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(folder, name), text]));
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, exactOptionalPropertyTypes: true, skipDefaultLibCheck: true, types: [] },
    ...{ lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], target: ts.ScriptTarget.ES2022 },
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    ...more,
  };
  const host = ts.createCompilerHost(options);
  const real = { ...host };
  host.fileExists = (name) => texts.has(name) || real.fileExists(name);
  host.readFile = (name) => texts.get(name) ?? real.readFile(name);
  host.getSourceFile = (name, version, ...rest) => {
    const text = texts.get(name);
    if (text !== undefined) return ts.createSourceFile(name, text, version);
    if (!libraries.has(name)) libraries.set(name, real.getSourceFile(name, version, ...rest));
    return libraries.get(name);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file, start }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0;
    return `${file?.fileName.replace(folder, '')}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

const names = ['a', 'b', 'c'];
const primitive = fc.constantFrom<unknown>('', 'a', 0, 1, -1.5, true, false, null);
const { value: valueOf } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    primitive,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { noNullPrototype: true, maxKeys: 3 }),
  ),
}));
const typeNames = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const { schema: schemaOf } = fc.letrec<{ schema: object | boolean; keywords: object }>((tie) => ({
  schema: fc.oneof({ maxDepth: 3 }, fc.boolean(), tie('keywords')),
  keywords: fc.record(
    {
      type: fc.oneof(typeNames, fc.constant('object'), fc.uniqueArray(typeNames, { minLength: 1, maxLength: 3 })),
      properties: fc.dictionary(fc.constantFrom(...names), tie('schema'), { noNullPrototype: true, maxKeys: 3 }),
      required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 1 }),
      additionalProperties: tie('schema'),
      patternProperties: fc.dictionary(fc.constantFrom('a', '.'), tie('schema'), { noNullPrototype: true, maxKeys: 1 }),
      prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      items: tie('schema'),
      minItems: fc.nat(2),
      enum: fc.uniqueArray(valueOf, {
        minLength: 1,
        maxLength: 3,
        comparator: 'IsStrictlyEqual',
        selector: (value) => JSON.stringify(value),
      }),
      const: primitive,
      anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
      oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: [] },
  ),
}));

const bookTable = `<form toolname="book_table" tooldescription="Books a table.">
  <label>Guests <input type="number" name="guests" min="1" max="12" required></label>
  <label>Seat <select name="seat"><option value="in">Inside<option value="out">Outside</select></label>
  <fieldset><legend>Extras</legend><input type="checkbox" name="extras" value="dog"><input type="checkbox" name="extras" value="child">
  </fieldset><label>Terms <input type="checkbox" name="terms" required></label><input name="a-b"><input name="__proto__">
  <input name="note" required><input name="note" required type="number"><button>Book</button></form>`;

const uses = `import type { BookTableInput, SiteModelContext, Tool, ToolInputs, ToolName } from './tools.js';
export const least: BookTableInput = { guests: 2, terms: true, note: ['a', 1] };
export const most: ToolInputs['book_table'] = { ...least, seat: 'out', extras: ['dog', 'child'], 'a-b': '', ['__proto__']: '' };
export const name: ToolName = 'book_table';
// @ts-expect-error a value that the select does not offer
export const wrongSeat: BookTableInput = { ...least, seat: 'bar' };
// @ts-expect-error not a list
export const wrongExtras: BookTableInput = { ...least, extras: 'dog' };
// @ts-expect-error a value that no checkbox has
export const wrongExtra: BookTableInput = { ...least, extras: ['cat'] };
// @ts-expect-error a required checkbox has to be checked
export const wrongTerms: BookTableInput = { ...least, terms: false };
// @ts-expect-error a required parameter is missing
export const noGuests: BookTableInput = { terms: true, note: ['a', 1] };
// @ts-expect-error text is not a number
export const textGuests: BookTableInput = { ...least, guests: '2' };
// @ts-expect-error the second control takes a number
export const wrongNote: BookTableInput = { ...least, note: ['a', 'b'] };
// @ts-expect-error the form has no such control
export const unknown: BookTableInput = { guests: 2, terms: true, note: ['a', 1], color: 'red' };
// @ts-expect-error the tool does not exist
export const noTool: ToolName = 'book';
// @ts-expect-error inputs are read-only
least.guests = 3;
export async function call(context: SiteModelContext): Promise<string | null> {
  const tool = (await context.getTools()).find((tool): tool is Tool<'book_table'> => tool.name === 'book_table');
  if (!tool) return null;
  // @ts-expect-error the input is checked
  await context.executeTool(tool, { guests: 'two' });
  // @ts-expect-error the input is required
  await context.executeTool(tool);
  return context.executeTool(tool, least, { signal: new AbortController().signal });
}
`;

describe('types', () => {
  it(
    'creates declarations that accept valid input and reject invalid input, without other files',
    { tags: 'long' },
    () => {
      const files = { 'tools.d.ts': typesOf(bookTable), 'uses.ts': uses };
      assert.deepEqual(errorsOf(files), []);
      assert.deepEqual(errorsOf(files, { exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: true }), []);
    },
  );

  it('creates declarations for which each expected error occurs', { tags: 'long' }, () => {
    const broken = uses.replaceAll(/\/\/ @ts-expect-error.*/g, '');
    assert.equal(errorsOf({ 'tools.d.ts': typesOf(bookTable), 'uses.ts': broken }).length, 12);
  });

  it('creates a SiteModelContext to which several declarations of document.modelContext are assignable', () => {
    const assign = 'export const context: SiteModelContext | undefined = document.modelContext;\n';
    const declarations = [
      "import '../../src/webmcp.js';\n",
      "import 'webmcp-types';\n",
      "import '../../src/webmcp.js';\nimport 'webmcp-types';\n",
      `declare global { interface ModelContext { ontoolchange: ((event: Event) => unknown) | null }
        interface Document { readonly modelContext: SiteModelContext } }\n`,
    ];
    for (const declaration of declarations) {
      const files = { 'tools.d.ts': typesOf(bookTable), 'uses.ts': `${uses}${declaration}${assign}` };
      assert.deepEqual(errorsOf(files, { skipLibCheck: false }), [], declaration);
    }
  });

  it('does not collide with declarations of document.modelContext in the library of TypeScript', () => {
    const library = `interface ModelContext extends EventTarget {
        ontoolchange: ((this: ModelContext, event: Event) => any) | null;
        registerTool(tool: { name: string; description: string; execute: (input: any) => any }, options?: { signal?: AbortSignal }): Promise<void>;
        getTools(options?: { fromOrigins?: string[] }): Promise<ListedTool[]>;
        executeTool(tool: ListedTool, input?: any, options?: { signal?: AbortSignal }): Promise<string | null>;
      }
      interface ListedTool { name: string; title: string; description: string; inputSchema?: object; window: Window; origin: string }
      interface Document { readonly modelContext: ModelContext }
      interface SubmitEvent { readonly agentInvoked: boolean; respondWith(response: Promise<any>): void }
      declare var ModelContext: { prototype: ModelContext; new (): ModelContext };\n`;
    const uses = "import '../../src/webmcp.js';\nexport const list = () => document.modelContext.getTools();\n";
    assert.deepEqual(errorsOf({ 'lib.d.ts': library, 'uses.ts': uses }, { skipLibCheck: false }), []);
  });

  it('creates a type for each kind of schema', () => {
    const shape = (schema: object): string =>
      /readonly p\?: ([^;]*);/s.exec(typesOfSchema({ type: 'object', properties: { p: schema } }))?.[1] ?? '';
    assert.equal(shape({ type: 'integer' }), 'number');
    assert.equal(shape({ type: ['string', 'null'] }), 'string | null');
    assert.equal(shape({ const: -1 }), '-1');
    assert.equal(shape({ enum: ['a', 1, null, true, ['x']] }), '"a" | 1 | null | true | readonly ["x"]');
    assert.equal(shape({ type: 'string', enum: ['a', 1] }), '"a"');
    assert.equal(shape({ type: 'array', items: { enum: ['a', 'b'] } }), 'ReadonlyArray<"a" | "b">');
    assert.equal(shape({ type: 'array' }), 'readonly unknown[]');
    assert.equal(
      shape({ type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], minItems: 1 }),
      'readonly [string, (boolean)?, ...readonly unknown[]]',
    );
    assert.equal(
      shape({ type: 'object', additionalProperties: { type: 'number' } }),
      '{ readonly [name: string]: number }',
    );
    assert.equal(
      shape({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }),
      'string | readonly string[]',
    );
    assert.equal(shape({ $ref: '#/$defs/x' }), 'unknown');
    assert.equal(shape({ not: {} }), 'unknown');
  });

  it('creates types of objects that allow other members if the schema does', () => {
    const open = (schema: object): readonly string[] =>
      errorsOf({
        'tools.d.ts': typesOfSchema({ type: 'object', properties: { p: schema }, additionalProperties: false }),
        'uses.ts': `import type { FindInput } from './tools.js';\nexport const input: FindInput = { p: { a: 1, b: 'x' } };\n`,
      });
    const properties = { a: { type: 'number' } };
    assert.deepEqual(open({ type: 'object', properties }), []);
    assert.deepEqual(open({ type: 'object', properties, additionalProperties: { type: 'string' } }), []);
    assert.deepEqual(
      open({ type: 'object', properties, additionalProperties: false, patternProperties: { b: {} } }),
      [],
    );
    assert.deepEqual(open({ type: 'object', required: ['a'] }), []);
    assert.deepEqual(open({ properties: { c: { type: 'number' } } }), []);
    assert.equal(open({ type: 'object', properties, additionalProperties: false }).length, 1);
    assert.equal(open({ type: 'object', properties: { b: { type: 'number' } } }).length, 1);
  });

  it('creates unknown for properties without a type, which allow other values', () => {
    assert.equal(typeOf({ properties: { a: {} }, required: ['a'] }, { levels: 0, indent: '' }), 'unknown');
  });

  it('creates types that allow every value that Ajv accepts', { tags: 'long' }, () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    const values = fc.sample(valueOf, { seed: 1, numRuns: 300 });
    const uses = fc.sample(schemaOf, { seed: 1, numRuns: 400 }).flatMap((schema, index) => {
      const isValid = ajv.compile(schema);
      const accepted = values.filter((value) => isValid(value)).slice(0, 8);
      const uses = accepted.map((value, at) => `export const v${index}_${at}: T${index} = ${JSON.stringify(value)};\n`);
      return [
        `/* ${JSON.stringify(schema)} */ type T${index} = ${typeOf(schema, { levels: 0, indent: '' })};\n`,
        ...uses,
      ];
    });
    assert.ok(uses.length > 1000, `${uses.length}`);
    assert.deepEqual(errorsOf({ 'uses.ts': uses.join('') }), []);
  });

  it('lists the values of an enum up to a limit, and reports their number above it', () => {
    const values = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `v${index}`);
    const schema = (count: number): object => ({
      type: 'object',
      properties: { p: { type: 'string', enum: values(count) } },
    });
    const many = typesOfSchema(schema(2000));
    assert.deepEqual(errorsOf({ 'tools.d.ts': many }), []);
    assert.match(many, /"v1999"/);
    assert.match(
      typesOfSchema(schema(50_000)),
      /One of 50000 values, which are too many for a type\. \*\/\n {2}readonly p\?: string;/,
    );
  });

  it('creates distinct interfaces for names that differ in case or punctuation', () => {
    const names = ['book_table', 'book-table', 'Book.Table', '__proto__', 'constructor', '1st', '...', 'class'];
    const text = typesOf(names.map((name) => toolForm(name)).join(''));
    assert.deepEqual(errorsOf({ 'tools.d.ts': text }), []);
    const interfaces = [...text.matchAll(/^export interface (\w+Input\d*|Input) \{/gm)].map(([, name]) => name);
    assert.deepEqual([interfaces.length, new Set(interfaces).size], [names.length, names.length]);
    for (const name of names)
      assert.ok(text.includes(`  ${/^\w+$/.test(name) && !/^\d/.test(name) ? name : JSON.stringify(name)}: `), name);
  });

  it('creates one interface for equal inputs on several pages, and a union for different inputs', () => {
    const page = (path: string, controls?: string): ManifestPage => compileHtml(toolForm('find', controls), { path });
    const same = types(site([page('a.html'), page('b.html')]));
    assert.match(same, /On a\.html, b\.html\./);
    assert.match(same, / find: FindInput;/);
    const differs = types(site([page('a.html'), page('b.html', '<input type=number name=n>')]));
    assert.match(differs, / find: FindInput \| FindInput2;/);
    assert.deepEqual(errorsOf({ 'tools.d.ts': differs }), []);
  });

  it('creates distinct interfaces for many inputs of one name', () => {
    const inputs = Array.from({ length: 300 }, (_, index) => `<input name=n${index}>`);
    const pages = inputs.map((input, index) => compileHtml(toolForm('find', input), { path: `${index}.html` }));
    const text = types(site([...pages, compileHtml(toolForm('find2'), { path: 'x.html' })]));
    const interfaces = [...text.matchAll(/^export interface (\w+Input\d*) \{/gm)].map(([, name]) => name);
    assert.deepEqual([interfaces.length, new Set(interfaces).size], [301, 301]);
    assert.match(text, /, 106\.html and 290 more pages\./);
  });

  it('creates the same text for the same manifest', () => {
    assert.equal(typesOf(bookTable), typesOf(bookTable));
  });

  it('escapes strings of pages in comments and literals', () => {
    const specialText = fc
      .array(
        fc.constantFrom(
          '*/',
          '/*',
          '//',
          '"',
          "'",
          '`',
          '\\',
          '\n',
          '\r',
          '\u2028',
          '@deprecated',
          '{@link x}',
          '}',
          ';',
          '${x}',
          'a',
          ' ',
          '\u202e',
          '\ud800',
          '*',
          '/',
          '__proto__',
        ),
        { maxLength: 6 },
      )
      .map((parts) => parts.join(''));
    const schema = fc.record({
      names: fc.uniqueArray(specialText, { maxLength: 3 }),
      values: fc.uniqueArray(specialText, { minLength: 1, maxLength: 3 }),
      text: specialText,
    });
    const property = fc.property(schema, specialText, (parts, description) => {
      const properties = Object.fromEntries(
        parts.names.map((name) => [
          name,
          { type: 'string', enum: parts.values, title: parts.text, description: parts.text, default: parts.text },
        ]),
      );
      const text = typesOfSchema({ type: 'object', properties, additionalProperties: false }, description);
      const file = ts.createSourceFile('tools.d.ts', text, ts.ScriptTarget.ES2022, true);
      assert.deepEqual((file as unknown as { readonly parseDiagnostics: readonly unknown[] }).parseDiagnostics, []);
      const [input] = file.statements.filter(ts.isInterfaceDeclaration);
      assert.equal(file.statements.length, 6);
      assert.deepEqual(
        input?.members.map((each) => (each.name as ts.StringLiteral).text),
        parts.names,
      );
      const types = input?.members.map((each) => (each as ts.PropertySignature).type!) ?? [];
      for (const type of types) {
        const literals = ts.isUnionTypeNode(type) ? [...type.types] : [type];
        assert.deepEqual(
          literals.map((each) => ((each as ts.LiteralTypeNode).literal as ts.StringLiteral).text),
          parts.values,
        );
      }
      for (const each of [input, ...input.members]) assert.deepEqual(ts.getJSDocTags(each), []);
    });
    fc.assert(property, { numRuns: 300 });
  });
});

describe('webmcp-forms types', () => {
  it('writes the same declarations for pages and their manifest', async () => {
    const cwd = await makeFolder({ 'site/index.html': bookTable });
    await runInProcess(['compile', '--out', 'webmcp.json', 'site'], { cwd });
    const ofManifest = await runInProcess(['types', 'webmcp.json'], { cwd });
    assert.equal(ofManifest.code, 0, ofManifest.stderr);
    const { code, stdout, stderr } = await runInProcess(['types', '--name', 'x', 'site'], { cwd });
    assert.deepEqual([code, stdout], [2, ''], stderr);
    const ofPages = await runInProcess(['types', '--out', 'tools.d.ts', 'site'], { cwd });
    assert.equal(ofPages.code, 0);
    assert.match(ofPages.stderr, /the types of 1 tool, written to tools\.d\.ts\n$/);
    assert.equal(await readFile(join(cwd, 'tools.d.ts'), 'utf8'), ofManifest.stdout);
  });

  it('rejects unreadable input, wrong combinations and a wrong file name', async () => {
    const cwd = await makeFolder({ 'a.html': toolForm('a'), 'm.json': '{"manifestVersion": 2}', 'n.json': '[' });
    for (const [argv, message] of [
      [['m.json'], /m\.json is not a tool manifest: its manifestVersion is 2/],
      [['n.json'], /n\.json is not a tool manifest: it is not valid JSON/],
      [['m.json', 'a.html'], /A manifest is named together with other paths\. Name /],
      [['--profile', 'portable', 'm.json'], /m\.json is already compiled\. Omit them\./],
      [['--out', 'a.html', 'a.html'], /Use a name that ends in \.d\.ts\./],
      [[], /PATH is missing\. Name /],
      [['none.json'], /Cannot read none\.json/],
    ] as const) {
      const { code, stdout, stderr } = await runInProcess(['types', ...argv], { cwd });
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
    }
    assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), toolForm('a'));
  });
});
