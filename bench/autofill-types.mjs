// Measures parameters, descriptions and sensitive controls by the field types that autofill expects:
// node bench/autofill-types.mjs FOLDER
// FOLDER is `test-forms` of github.com/duckduckgo/duckduckgo-autofill (Apache-2.0), or `heuristics` of Chromium's
// components/test/data/autofill (BSD), which are not part of this project. HALF=odd reads the other half of the pages,
// which is for evaluation, and HALF=all reads all pages. LIST=exposed, falsely, omitted or undescribed prints these
// fields.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'parse5';
import { compileHtml } from '../dist/build.js';
import { synthesizeParameters } from '../dist/compiler/index.js';
import { annotate, share } from './labelled-pages.mjs';

const [folder] = process.argv.slice(2);
const { HALF: half = 'even', LIST: listed } = process.env;
if (!folder) throw new Error('Name the folder of a copy of a data set.');

/** The kinds of secrets, by the types of both data sets. */
const secrets = {
  'card numbers': /^(cardNumber|CREDIT_CARD_NUMBER)$/,
  'security codes': /^(cardSecurityCode|CREDIT_CARD_.*VERIFICATION_CODE)$/,
  'expiry dates': /^(expiration(Month|Year)?|CREDIT_CARD_EXP_.*)$/,
  'one-time codes': /^(totp|ONE_TIME_CODE)$/,
  passwords: /^(password(\..*)?|.*_PASSWORD)$/,
};
const kindOf = (type) => Object.keys(secrets).find((kind) => secrets[kind].test(type)) ?? 'other fields';
const kinds = [...Object.keys(secrets), 'other fields'];

const attribute = ({ attrs = [] }, name) => attrs.find((each) => each.name === name)?.value;

/** The forms of a page with the elements in each of them. */
function formsOf(html) {
  const forms = [];
  const pending = [{ node: parse(html, { sourceCodeLocationInfo: true }), form: undefined }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node } = next;
    let { form } = next;
    if (node.tagName === 'form' && node.sourceCodeLocation?.startTag) {
      form = { place: node.sourceCodeLocation.startTag.startOffset + '<form'.length, elements: [] };
      forms.push(form);
    }
    if (node.tagName) form?.elements.push(node);
    pending.push(...(node.childNodes ?? []).map((child) => ({ node: child, form })).toReversed());
  }
  return forms;
}

/** The expected types in the attributes of the elements. */
const typesInPage = (forms) =>
  forms.map(({ elements }) =>
    elements
      .map((element) => [attribute(element, 'name'), attribute(element, 'data-manual-scoring')])
      .filter(([, type]) => type),
  );

/** The expected types of Chromium, `TYPE | name | label | value | section` in a line, by the names in the forms. */
function typesInOutput(forms, output) {
  const lines = output.split('\n').map((line) => line.split(' | '));
  const expected = lines.filter(([, name]) => name).map(([type, name]) => [name, type]);
  return forms.map(({ elements }) => {
    const names = new Set(elements.map((element) => attribute(element, 'name')));
    return [...new Map(expected.filter(([name]) => names.has(name)))];
  });
}

function pages() {
  const isChromium = existsSync(join(folder, 'input'));
  const input = isChromium ? join(folder, 'input') : folder;
  const files = readdirSync(input).filter((file) => file.endsWith('.html'));
  const wanted = files.toSorted().filter((_, index) => half === 'all' || index % 2 === (half === 'odd' ? 1 : 0));
  return wanted.map((file) => {
    const html = readFileSync(join(input, file), 'utf8');
    const forms = formsOf(html);
    const output = isChromium && join(folder, 'output', file.replace(/html$/, 'out'));
    const types = output ? typesInOutput(forms, readFileSync(output, 'utf8')) : typesInPage(forms);
    return {
      file,
      html: annotate(
        html,
        forms.map(({ place }) => place),
      ),
      types,
    };
  });
}

function measure(profile, all) {
  const counts = { fields: 0, unnamed: 0, parameters: 0, described: 0 };
  for (const kind of kinds) Object.assign(counts, { [kind]: 0, [`${kind} sensitive`]: 0, [`${kind} exposed`]: 0 });
  const lists = { exposed: [], falsely: [], omitted: [], undescribed: [] };
  for (const { file, html, types } of all) {
    for (const { name, form } of compileHtml(html, { path: file, profile }).tools) {
      const parameters = synthesizeParameters(form, { profile });
      for (const [field, type] of types[name]) count(form, parameters, field, type, `${file} form ${name}: ${field}`);
    }
  }
  function count(form, parameters, field, type, where) {
    const kind = kindOf(type);
    const controls = form.controls.filter((control) => field && control.name === field);
    const isSensitive = controls.some(({ sensitive }) => sensitive);
    counts.fields++;
    if (controls.length === 0) return counts.unnamed++;
    const isOf = ({ units }) =>
      units.some((unit) => unit.controls.some((index) => controls.includes(form.controls[index])));
    const parameter = parameters.find(isOf);
    counts[kind]++;
    counts[`${kind} sensitive`] += Number(isSensitive);
    counts[`${kind} exposed`] += Number(parameter !== undefined);
    if (kind !== 'other fields') return parameter && lists.exposed.push(`${where} (${type})`);
    if (isSensitive) lists.falsely.push(`${where} (${type})`);
    else if (!parameter) lists.omitted.push(`${where} (${type})`);
    counts.parameters += Number(parameter !== undefined);
    counts.described += Number(!!parameter && parameter.words.length > 0);
    if (parameter?.words.length === 0) lists.undescribed.push(`${where} (${type})`);
  }
  return { counts, lists };
}

const all = pages();
const rows = {};
for (const profile of ['chromium', 'precise', 'portable']) {
  const { counts, lists } = measure(profile, all);
  const ofSecrets = kinds
    .slice(0, -1)
    .map((kind) => [`${kind} sensitive`, `${counts[`${kind} sensitive`]} of ${counts[kind]}`]);
  rows[profile] = {
    pages: all.length,
    fields: counts.fields,
    'without a name': counts.unnamed,
    'other fields': counts['other fields'],
    'are parameters': share(counts.parameters, counts['other fields']),
    'are described': share(counts.described, counts.parameters),
    'are sensitive': counts['other fields sensitive'],
    ...Object.fromEntries(ofSecrets),
    'secrets exposed': kinds.slice(0, -1).reduce((sum, kind) => sum + counts[`${kind} exposed`], 0),
  };
  for (const line of lists[listed] ?? []) console.log(profile, line);
}
console.log(
  `Expected field types, ${half === 'all' ? 'all' : `the ${half}`} pages. Fields without a name are not submitted:`,
);
const columns = Object.keys(rows.precise);
console.table(
  Object.fromEntries(
    columns.map((column) => [
      column,
      Object.fromEntries(Object.entries(rows).map(([profile, row]) => [profile, row[column]])),
    ]),
  ),
);
