import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { constraintCodes } from '../../src/compiler/input/parameter-error.ts';
import { formState } from '../../src/compiler/input/form-state.ts';
import { resolveSynthesis } from '../../src/compiler/profiles/synthesize.ts';
import { constraintErrors } from '../../src/headless/constraints/constraints.ts';
import { WorkBudget } from '../../src/headless/constraints/pattern.ts';
import { parsePage } from '../../src/parse5/parse5-tree.ts';
import { descriptionsOf } from '../../test/support/readings.ts';
import { resultOf } from './result.mjs';

export const suite = {
  name: 'WPT, `html/semantics/forms/constraints`',
  folder: 'wpt/html/semantics/forms/constraints',
  source: 'https://github.com/web-platform-tests/wpt',
  subject: 'constraint validation without a browser',
  run,
};

/**
 * The flags that markup and a value determine. Custom errors are set by scripts, and bad input is typed by users of a
 * browser.
 */
const flags = new Map(constraintCodes.filter(([flag]) => flag !== 'customError' && flag !== 'badInput'));

function run(folder) {
  return readdirSync(folder)
    .filter((file) => /^form-validation-(?:validity-|checkValidity)/.test(file))
    .flatMap((file) => {
      const flag = /validity-(\w+?)(?:-weekmonth)?\.html$/.exec(file)?.[1] ?? 'valid';
      return flag === 'valid' || flags.has(flag) ? checkTable(flag, join(folder, file)) : [];
    });
}

function checkTable(flag, file) {
  return tableOf(readFileSync(file, 'utf8')).flatMap(({ tag, types, testData }) =>
    (types.length > 0 ? types : [undefined]).flatMap((type) =>
      testData.map((test) => checkControl(flag, { tag, type }, test)),
    ),
  );
}

/** The variable `testElements` of a file of the suite. Its script runs without access to this process. */
function tableOf(html) {
  const script = /<script>([^]*?)<\/script>/.exec(html)?.[1] ?? '';
  const globals = { validator: { run_test() {} }, test() {}, document: { getElementById: () => null } };
  runInNewContext(`${script}; this.table = typeof testElements === 'undefined' ? [] : testElements;`, globals);
  return globals.table;
}

function checkControl(flag, { tag, type }, { conditions, expected, name }) {
  const { value: _, ...attributes } = conditions;
  const found = errorsOf(formOf(tag, type, attributes), formOf(tag, type, conditions));
  const isFound = flag === 'valid' ? found.length === 0 : found.includes(flags.get(flag));
  const where = type === undefined ? tag : `${tag} type=${type}`;
  const title = `${flag}, ${where}: ${name.replace(/\[.*?\] /, '')}`;
  const details = `${JSON.stringify(conditions)}: ${found.join() || 'valid'}`;
  return resultOf(title, isFound === expected, { details, exception: exceptionOf(flag, found) });
}

const reversed = 'A parameter has one error. A value between the limits of a reversed range is below its minimum.';

/** The reason why a result is right although the suite expects another. Undefined if the result is wrong. */
function exceptionOf(flag, [found]) {
  if (/^too-/.test(found)) return 'The value of an agent counts as an edit by a user, whose length is checked.';
  if (found === 'type-mismatch') return 'A parameter has one error, and that of its type comes first.';
  return flag === 'rangeOverflow' && found === 'range-underflow' ? reversed : undefined;
}

const escapeMarkup = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The description of a form whose control has the conditions as attributes. A textarea has its value as content. */
function formOf(tag, type, { value = '', ...conditions }) {
  const isInput = tag === 'input';
  const pairs = Object.entries({ ...conditions, ...(type && { type }), ...(isInput && { value }) })
    .filter(([, each]) => each !== false && each !== undefined && each !== null)
    .map(([name, each]) => ` ${name}="${each === true ? '' : escapeMarkup(String(each))}"`);
  const option = (each, text) => `<option value="${each}"${String(value) === each ? ' selected' : ''}>${text}</option>`;
  const content = tag === 'select' ? option('', 'test1') + option('1', 'test2') : `\n${escapeMarkup(String(value))}`;
  const html = `<form><${tag}${pairs.join('')} name="p">${isInput ? '' : `${content}</${tag}>`}</form>`;
  const { document, tree } = parsePage(html);
  return descriptionsOf(tree, document)[0];
}

/** The errors of a form that has been given the values of another one. A value in markup would be the base of steps. */
function errorsOf(form, formWithValues) {
  const filled = { form, states: formState(formWithValues), set: new Set([0]), submitter: undefined };
  const synthesis = resolveSynthesis({ profile: 'precise', sensitive: 'include' });
  return constraintErrors(filled, {}, synthesis, new WorkBudget()).map(({ error }) => error?.code);
}
