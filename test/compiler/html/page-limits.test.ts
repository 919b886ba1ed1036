// @module-tag long
import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import {
  describeForm,
  diagnose,
  planInput,
  profileNames,
  readForms,
  synthesizeTool,
  type Diagnostic,
  type FormDescription,
  type Tree,
} from '../../../src/compiler/index.js';
import { controlSize, maxSize, maxTextLength } from '../../../src/compiler/limits.js';
import { parsePage, type Parse5Element, type Parse5Node } from '../../../src/parse5/parse5-tree.js';
import { compileHtml } from '../../../src/site/compile-html.js';
import { lint } from '../../../src/lint/lint.js';
import { withinCpuSeconds } from '../../support/cpu-time.js';
import { formOf, repeat } from '../../support/compiler/forms.js';

type PageTree = Tree<Parse5Node, Parse5Element>;

/** A tree that counts its reads. */
function counting(tree: PageTree): { readonly tree: PageTree; readonly count: () => number } {
  let calls = 0;
  const counted =
    <Args extends readonly unknown[], Result>(answer: (...args: Args) => Result) =>
    (...args: Args): Result => {
      calls++;
      return answer(...args);
    };
  const wrapped: PageTree = {
    ...tree,
    localName: counted((element: Parse5Element) => tree.localName(element)),
    attribute: counted((element: Parse5Element, name: string) => tree.attribute(element, name)),
    parent: counted((node: Parse5Node) => tree.parent(node)),
    children: counted((node: Parse5Node) => tree.children(node)),
    text: counted((node: Parse5Node) => tree.text(node)),
    shadowRoot: counted((element: Parse5Element) => tree.shadowRoot(element)),
  };
  return { tree: wrapped, count: () => calls };
}

/** The number of reads of the tree to describe all forms of a page. */
function workOf(html: string): number {
  const { document, tree } = parsePage(html, { locations: false });
  const counter = counting(tree);
  for (const { form, scope } of readForms(counter.tree, document)) describeForm(counter.tree, form, scope);
  return counter.count();
}

const form = (content: string, name = 't'): string => `<form toolname=${name} tooldescription=d>${content}</form>`;
const nest = (count: number, open: string, content: string, close: string): string =>
  open.repeat(count) + content + close.repeat(count);

/** Pages of a size in proportion to `n`, for which a naive reader takes quadratic time. */
const shapes: Readonly<Record<string, (n: number) => string>> = {
  'controls that name one text of many elements': (n) =>
    form(`<p id=a>${'<b>x</b>'.repeat(n)}</p>${repeat(n, (i) => `<input name=n${i} aria-labelledby=a>`)}`),
  'controls that one hidden element with many children describes': (n) =>
    form(`<p id=a hidden>${'<i role=listbox></i>'.repeat(n)}</p>${'<input name=b aria-describedby=a>'.repeat(n)}`),
  'controls with one datalist': (n) =>
    form(`<datalist id=a>${'<option>o'.repeat(n)}</datalist>${repeat(n, (i) => `<input name=n${i} list=a>`)}`),
  'options deep in a datalist': (n) =>
    form(`<input list=a><datalist id=a>${nest(300, '<div>', '<option>o'.repeat(n), '</div>')}</datalist>`),
  'option groups in a select': (n) => form(`<select>${'<optgroup label=g><option>o'.repeat(n)}</select>`),
  'legends of a disabled fieldset after many elements': (n) =>
    form(`<fieldset disabled>${'<br>'.repeat(n)}${'<legend><input></legend>'.repeat(n)}</fieldset>`),
  'radio buttons in fieldsets': (n) =>
    form('<fieldset><legend>L</legend><input type=radio name=a></fieldset>'.repeat(n)),
  'deep forms': (n) =>
    nest(
      300,
      '<div>',
      repeat(n, (i) => form('<input name=a>', `t${i}`)),
      '',
    ),
  'forms in deep fieldsets': (n) =>
    nest(
      300,
      '<fieldset>',
      repeat(n, (i) => form('<input name=a>', `t${i}`)),
      '',
    ),
  'deep controls of forms elsewhere': (n) =>
    repeat(n, (i) => `<form id=f${i} toolname=t${i} tooldescription=d></form>`) +
    nest(
      300,
      '<div>',
      repeat(n, (i) => `<input name=a form=f${i}>`),
      '',
    ),
  'forms that name one text of many elements': (n) =>
    `<p id=a>${'<b>x</b>'.repeat(n)}</p>` + repeat(n, (i) => form('<input name=a aria-labelledby=a>', `t${i}`)),
  'labels of one control': (n) => form(`<input id=a>${'<label for=a>x</label>'.repeat(n)}`),
  'labels of deep controls outside of their form': (n) =>
    `<form id=f toolname=t tooldescription=d></form>` +
    nest(
      300,
      '<div>',
      repeat(n, (i) => `<p><label for=a${i}>x</label></p><p><input id=a${i} name=a${i} form=f></p>`),
      '',
    ),
  'controls that refer to one ID of many elements': (n) =>
    '<p id=a>x</p>'.repeat(n) + repeat(n, (i) => form('<input name=a aria-labelledby=a>', `t${i}`)),
  'labels by equal IDs': (n) => form('<label for=a>x</label><input id=a name=b>'.repeat(n)),
  'nested labels': (n) => form(nest(300, '<label>x', '<input name=a>', '</label>').repeat(n / 300)),
};

describe('the work to describe a page grows in proportion to the page', () => {
  for (const [name, page] of Object.entries(shapes)) {
    test(`twice as many ${name} cause at most about twice as many reads of the tree`, () => {
      const [once, twice] = [workOf(page(900)), workOf(page(1800))];
      assert.ok(twice < once * 2.2, `${once} and ${twice} questions`);
    });
  }
});

const limitsIn = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter(({ code }) => code === 'limit-exceeded');
const limitsOf = (html: string): readonly Diagnostic[] => limitsIn(compileHtml(html, { path: 'p' }).diagnostics);

const text = (length: number): string => 'x'.repeat(length);

describe('each limit of a page is a diagnostic', () => {
  const cases: Readonly<Record<string, readonly [html: string, message: RegExp, place?: object]>> = {
    'a referenced text': [
      form(`<p id=a>${text(maxTextLength + 1)}</p>\n<input name=n aria-labelledby=a>`),
      /text has more than 200000 characters and is ignored\. Use a shorter/,
      { parameter: 'n', location: { line: 2, column: 1 } },
    ],
    'a label': [form(`<label>${text(maxTextLength + 1)}<input name=n></label>`), /^A label, legend or referenced text/],
    'a legend': [
      form(`<fieldset><legend>${text(maxTextLength + 1)}</legend><input name=n></fieldset>`),
      /^A label, legend or referenced text/,
    ],
    'the content of a button': [form(`<button>${text(maxTextLength + 1)}</button>`), /more than 200000 characters/],
    'a text that many controls name': [
      form(`<p id=a>${text(100_000)}</p>${repeat(200, (i) => `<input name=n${i} aria-labelledby=a>`)}`),
      /is ignored here and at later controls of the form, because .* more than 10000000 characters\. Use fewer/,
      { parameter: 'n99' },
    ],
    'a datalist of many controls': [
      form(
        `<datalist id=a>${repeat(5000, (i) => `<option>o${i}`)}</datalist>${repeat(500, (i) => `<input name=n${i} list=a>`)}`,
      ),
      /^A datalist is ignored here/,
    ],
    'a pattern': [form(`<input name=n pattern="${text(20_001)}">`), /pattern has more than 20000 characters/],
    'patterns of many properties': [
      form(repeat(1200, (i) => `<input name=n${i} pattern="\\p{L}${i}">`)),
      /^A pattern is ignored here/,
    ],
    'a toolparamschema': [
      form(`<x-a name=n toolparamschema='{"title":"${text(500_000)}"}'></x-a>`),
      /toolparamschema has more than 500000 characters/,
    ],
    'nested groups': [form(nest(40, '<fieldset>', '<input name=n>', '</fieldset>')), /in more than 32 groups/],
  };
  for (const [name, [html, message, place = {}]] of Object.entries(cases)) {
    test(`compileHtml reports ${name} beyond the limit, and the tool exists without it`, async () => {
      const page = await withinCpuSeconds(60, () => compileHtml(html, { path: 'p' }));
      const [limit] = limitsIn(page.diagnostics);
      assert.match(limit?.message ?? '', message);
      assert.deepEqual([limit?.severity, limit?.tool], ['warning', 't']);
      assert.ok(limit?.location);
      for (const [member, value] of Object.entries(place))
        assert.deepEqual(limit[member as keyof Diagnostic], value, member);
      assert.equal(page.tools.length, 1);
      assert.ok(JSON.stringify(page).length < 25_000_000);
    });
  }

  test('a form of a visitor that uses up the work for strings and suggestions does not affect other forms', () => {
    const field = (source: string): string => `<label>City<input name=c ${source} list=d pattern="[a-z]+"></label>`;
    const own = form(
      `<p id=h>In Europe</p><datalist id=d><option>Oslo</datalist>${field('aria-describedby=h')}`,
      'own',
    );
    const long = `<p id=a>${text(100_000)}</p><datalist id=o>${repeat(5000, (i) => `<option>o${i}`)}</datalist>`;
    const theirs = form(
      long + repeat(300, (i) => `<input name=n${i} aria-labelledby="a h" list=o><input list=d>`),
      'theirs',
    );
    const schemaOf = (html: string): unknown =>
      compileHtml(html, { path: 'p' }).tools.find(({ name }) => name === 'own')?.inputSchema;
    assert.match(JSON.stringify(schemaOf(own)), /Oslo.*City. In Europe/);
    for (const html of [theirs + own, `${theirs}${theirs.replace('toolname=theirs', 'toolname=more')}${own}`])
      assert.deepEqual(schemaOf(html), schemaOf(own));
  });

  test('a form with more controls than the limit is reported and is not a tool, but an earlier form is a tool', () => {
    const many = '<input>'.repeat(maxSize / controlSize + 1);
    const { tools, diagnostics } = compileHtml(form('<button>B</button>', 'a') + form(many, 'b'), { path: 'p' });
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual(
      diagnostics.map(({ code, severity, tool }) => [code, severity, tool]),
      [['limit-exceeded', 'error', 'b']],
    );
    assert.match(
      diagnostics[0]?.message ?? '',
      /is not a tool: the limit is 15000 forms, 20000 controls or 100000 options, which count together\. Use fewer/,
    );
  });

  test('the forms after a form beyond the limit are counted in its diagnostic, but are not linted', () => {
    const html = form('<input>'.repeat(maxSize / controlSize + 1), 'a') + form('<button>B</button>', 'b').repeat(3);
    const { tools, diagnostics } = compileHtml(html, { path: 'p' });
    assert.deepEqual([tools.length, diagnostics.length], [0, 1]);
    assert.match(diagnostics[0]?.message ?? '', /The 3 forms after it are not tools either\.$/);
    assert.deepEqual(
      lint(html, { path: 'p' }).filter(({ tool }) => tool === 'b'),
      [],
    );
  });

  test('a control is described by all labels around it, even by more than 100', () => {
    const html = form(nest(300, '<label>x ', '<input name=n>', '</label>'));
    const [tool] = compileHtml(html, { path: 'p' }).tools;
    assert.deepEqual([tool?.form?.controls[0]?.words.length, limitsOf(html)], [300, []]);
  });

  test('a page with too many or too deep elements has a diagnostic instead of tools, also in lint', () => {
    const pages = { deep: form('<div>'.repeat(600)), wide: form('<br>'.repeat(200_001)) };
    for (const [name, html] of Object.entries(pages)) {
      const { tools, diagnostics } = compileHtml(html, { path: 'p' });
      assert.deepEqual([tools.length, diagnostics.map(({ code }) => code)], [0, ['limit-exceeded']], name);
      assert.match(diagnostics[0]?.message ?? '', /^The page (?:is nested|has) more than .*Split the page\.$/);
      assert.deepEqual(
        lint(html, { path: 'p' }).map(({ code, severity }) => [code, severity]),
        [['limit-exceeded', 'error']],
      );
    }
  });

  test('a limit of one control is reported even after a limit of the page was reached', () => {
    const patterns = repeat(1200, (i) => `<input name=n${i} pattern="\\p{L}${i}">`);
    const custom = `<x-a name=n toolparamschema='{"title":"${text(500_000)}"}'></x-a>`;
    const messages = limitsOf(form(patterns + custom + nest(40, '<fieldset>', '<input name=m>', ''))).map(
      ({ message }) => message,
    );
    assert.match(messages[0] ?? '', /^A pattern is ignored here/);
    assert.match(messages[1] ?? '', /^A toolparamschema has more than 500000 characters/);
    assert.match(messages[2] ?? '', /in more than 32 groups/);
  });

  test('suggestions and patterns beyond their limit do not affect the labels of later controls', () => {
    const patterns = repeat(1200, (i) => `<input name=p${i} title=t pattern="\\p{L}${i}">`);
    const { tools, diagnostics } = compileHtml(form(`${patterns}<label>Last<input name=last></label>`), { path: 'p' });
    assert.equal(tools[0]?.inputSchema.properties?.['last']?.description, 'Last');
    assert.deepEqual([...new Set(diagnostics.map(({ code }) => code))], ['missing-submit-button', 'limit-exceeded']);
  });

  const large: Readonly<Record<string, string>> = {
    'rows that are forms': repeat(2000, (i) =>
      form(
        `<input type=hidden name=id value=${i}><input type=hidden name=token><label>Name<input name=n></label>` +
          '<label>Price<input type=number name=p></label><label>State<select name=s><option>a<option>b<option>c</select></label><button>Save</button>',
        `row_${i}`,
      ),
    ),
    'forms with a control and a button': repeat(5000, (i) =>
      form('<label>Count<input name=n></label><button>Add</button>', `add_${i}`),
    ),
    'selects of countries': form(
      repeat(300, (i) => `<label>C<select name=c${i}>${repeat(250, (j) => `<option>o${j}`)}</select></label>`),
    ),
    controls: form(repeat(19_000, (i) => `<label>C<input name=c${i}></label>`)),
  };
  for (const [name, html] of Object.entries(large)) {
    test(`a large page of ${name} is below the limits`, async () => {
      assert.deepEqual(await withinCpuSeconds(60, () => limitsOf(html)), []);
    });
  }

  test('a page below the limits has no such diagnostic, and its manifest does not mention limits', () => {
    const html = form(
      `<p id=a>${text(10_000)}</p>${repeat(500, (i) => `<label>L${i}<input name=n${i} aria-describedby=a></label>`)}`,
    );
    assert.deepEqual(limitsOf(html), []);
    const tool = compileHtml(form(nest(40, '<fieldset>', '<input name=n>', '')), { path: 'p' }).tools[0];
    assert.ok(tool?.form && !('limits' in tool.form));
  });
});

/** Runs everything that a description is used for. */
function useForm(description: FormDescription): void {
  for (const profile of profileNames) {
    const { inputSchema } = synthesizeTool(description, { profile });
    diagnose(description, { profile });
    planInput(description, Object.fromEntries(Object.keys(inputSchema.properties ?? {}).map((name) => [name, 'x'])), {
      profile,
    });
  }
}

/** Pages that took minutes, or all memory, when the work was quadratic. */
const quadratic: Readonly<Record<string, () => string>> = {
  'required radio groups': () => repeat(12_000, (i) => `<input type=radio required name=n${i}>`),
  'selected options': () => `<select name=a multiple>${repeat(30_000, (i) => `<option selected>o${i}`)}</select>`,
  'equal options': () => `<select name=a>${'<option value=a>b'.repeat(30_000)}</select>`,
  'radio buttons with equal values': () => '<input type=radio name=a>'.repeat(12_000),
  'a long text that 16,000 controls name': () =>
    `<p id=a>${text(500_000)}</p>${repeat(16_000, (i) => `<input name=n${i} aria-labelledby=a>`)}`,
  'nested texts of 100 kB that a control names': () =>
    `${repeat(450, (i) => `<div id=i${i}>`)}${text(100_000)}${'</div>'.repeat(450)}` +
    `<input name=a aria-labelledby="${repeat(450, (i) => `i${i} `)}">`,
  'a datalist of 4,000 options of 4,000 inputs': () =>
    `<datalist id=a>${repeat(4000, (i) => `<option>o${i}`)}</datalist>${repeat(4000, (i) => `<input name=n${i} list=a>`)}`,
  'a datalist of inputs of one name': () =>
    `<datalist id=a>${repeat(2000, (i) => `<option>o${i}`)}</datalist>${'<input name=a list=a>'.repeat(9000)}`,
  'schemas of tuples in tuples': () => {
    const schemaOf = (depth: number): string =>
      depth === 0 ? '{}' : `{"prefixItems":[{"properties":{"a":${schemaOf(depth - 1)}}}]}`;
    return `<x-a name=a toolparamschema='${schemaOf(40)}'></x-a>`;
  },
  'controls in one line': () => `Name ${repeat(16_000, (i) => `<input name=n${i}>`)}`,
  'checkboxes in one line': () => repeat(16_000, (i) => `<input type=checkbox name=n${i}> a${i} `),
  'a table of many rows with a head': () =>
    `<table><tr><th>Name<th>Size${repeat(12_000, (i) => `<tr><td><input name=a${i}><td><input name=b${i}>`)}</table>`,
  'a table of many rows without a head': () =>
    `<table>${repeat(12_000, () => '<tr><td>')}${repeat(12_000, (i) => `<tr><td><td><input name=a${i}>`)}</table>`,
  'a row of many cells': () =>
    `<table><tr>${'<th>a'.repeat(16_000)}<tr>${repeat(16_000, (i) => `<td><input name=n${i}>`)}</table>`,
  'a cell of many lines beside many controls': () =>
    `<table><tr><td>${'a<br>'.repeat(30_000)}<td>${repeat(12_000, (i) => `<p><input name=n${i}>`)}</table>`,
  'many controls in many elements': () =>
    repeat(400, (i) => '<div>'.repeat(100) + `<input name=n${i}>` + '</div>'.repeat(100)),
  'labels of parentheses': () => repeat(8000, (i) => `<p>${'('.repeat(200)}${')'.repeat(200)}a<p><input name=n${i}>`),
  'labels of 500 characters': () =>
    repeat(8000, (i) => `<label>${'enter the code card not '.repeat(20)}<input name=n${i}></label>`),
  'labels of one long word': () => repeat(8000, (i) => `<label>${'spam1'.repeat(100)}<input name=n${i}></label>`),
  'a label of many elements': () => `<label>Name ${'<b></b>'.repeat(150_000)}<input name=a></label>`,
  'a pattern of many atoms': () => `<input name=a pattern="${repeat(4000, (i) => `[${i}]`).slice(0, 19_000)}">`,
};

describe('the tools of hostile forms are created in seconds', () => {
  for (const [name, content] of Object.entries(quadratic)) {
    test(`${name} are described, synthesized, diagnosed and filled in`, async () => {
      await withinCpuSeconds(60, () => useForm(formOf(content())));
    });
  }
});
