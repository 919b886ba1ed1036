// Fills long forms with gold values by label and compares the submissions: node bench/form-factory.mjs FOLDER
// FOLDER has `templates`, `data/data1` and `app.py` of github.com/formfactory-ai/formfactory (MIT), which is not part of
// this project. Options: --records 20 (or all), --form B11, --only precise, and --named, which adds the labels of the page
// to the schema where it lacks them, so that only filling is measured. LIST=unaddressed, rejected, different or data
// prints these records.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contestants, launchChromium } from './contestants.mjs';
import { findChoice, findLabel, inputFor, isTrue, isoDate, text } from './form-factory-input.mjs';
import { forms, serve } from './form-factory-site.mjs';
import { share } from './labelled-pages.mjs';

const { values: options, positionals } = parseArgs({
  options: {
    records: { type: 'string', default: '20' },
    form: { type: 'string' },
    only: { type: 'string' },
    named: { type: 'boolean' },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (!folder) throw new Error('Name the folder of a copy of FormFactory.');
const { LIST: listed } = process.env;

const inPage = fileURLToPath(new URL('form-factory-page.js', import.meta.url));

/** Labels that the data writes in another way than the page. */
const aliases = { 'Selected Courses': 'Select Courses' };

const racers = contestants('none', 'native', 'ours', 'peer');
const ours = (profile) => ({
  tag: racers.ours.tag.replace('<script', `<script data-profile="${profile}"`),
  prefix: 'data-',
});
const columns = {
  chromium: ours('chromium'),
  precise: ours('precise'),
  portable: ours('portable'),
  native: { tag: '', prefix: '', flags: racers.native.flags },
  peer: { ...racers.peer, prefix: '', isText: true },
};

const server = await serve(folder, columns);

/** Opens a form, and waits until it has controls, because a script builds one of the forms. */
async function open(tab, name, column) {
  await tab.goto(`http://127.0.0.1:${server.address().port}/${name}/${column}`);
  await tab.waitForFunction(() => document.forms[0]?.elements.length > 2);
  await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  await tab.addScriptTag({ path: inPage });
}

/** The value of a group of controls for a value of the data, or undefined if a person could not enter it. */
function valueOf(value, { type, choices }) {
  if (type === 'file') return undefined;
  if (type === 'checkbox' && choices.length === 0) return isTrue(value);
  if (choices.length > 0) {
    const chosen = [value].flat().map((item) => findChoice(item, choices)?.value);
    if (chosen.includes(undefined)) return undefined;
    return type.startsWith('select') ? chosen[0] : chosen;
  }
  return type === 'date' ? isoDate(value) : text(value, type !== 'textarea');
}

/** Whether the page keeps a typed value. The scripts of a page may change the value. */
async function keepsTyped(tab, name, value) {
  const selector = `[name="${name}"]`;
  await tab.$eval(selector, (control) => control.form.reset());
  await tab.click(selector);
  await tab.keyboard.type(value);
  await tab.keyboard.press('Tab');
  return isoDate(await tab.$eval(selector, (control) => control.value)) === isoDate(value);
}

/**
 * The expected submission of a record: the gold values by label that the form accepts, the values that only the user
 * enters, and the entry list. All of these are read from the page, without its tool.
 */
async function plan(tab, groups, record) {
  const values = [];
  const wrong = {};
  const labels = {};
  for (const [label, value] of Object.entries(record)) {
    const group = findLabel(aliases[label] ?? label, groups);
    const entered = group && valueOf(value, group);
    if (entered === undefined) wrong[label] = group ? group.type : 'no such label';
    else if (group.isWidget && !(await keepsTyped(tab, group.name, entered))) wrong[label] = 'changed by the page';
    else {
      labels[group.name] = label;
      values.push([group.name, entered]);
    }
  }
  const files = groups.filter(({ type, required }) => type === 'file' && required);
  for (const { name } of files) values.push([name, 'file']);
  const { entries, refused, invalid } = await tab.evaluate((all) => globalThis.factory.expected(all), values);
  for (const name of refused) wrong[labels[name]] = 'refused by the form';
  const taken = values.filter(([name]) => !refused.includes(name) && labels[name]);
  const gold = Object.fromEntries(taken.map(([name]) => [aliases[labels[name]] ?? labels[name], record[labels[name]]]));
  const isOfUser = ({ type, required }) => type === 'password' || (type === 'file' && required);
  const ofUser = groups
    .filter(isOfUser)
    .map(({ name, label }) => ({ name, label, value: values.find(([control]) => control === name)?.[1] }));
  return { gold, wrong, entries, invalid, files, ofUser, groups };
}

async function plans(browser) {
  const tab = await browser.newPage();
  const all = [];
  for (const [name, data] of Object.entries(forms)) {
    if (options.form && !options.form.split(',').includes(name)) continue;
    const records = JSON.parse(readFileSync(join(folder, 'data/data1', `${data}.json`), 'utf8'));
    await open(tab, name, 'none');
    const groups = await tab.evaluate(() => globalThis.factory.groups());
    for (const [index, record] of records.entries()) {
      if (options.records !== 'all' && index >= Number(options.records)) break;
      all.push({ name, where: `${name} ${index}`, ...(await plan(tab, groups, record)) });
    }
  }
  await tab.close();
  return all;
}

/** The entries for comparison. Dates have one notation, because a date field of a script has a notation of its own. */
const canonical = (entries) => JSON.stringify(entries.map(([name, value]) => [name, isoDate(value)]).toSorted());

function differences(entries, wanted) {
  const missing = wanted.filter((entry) => !entries.some((other) => canonical([other]) === canonical([entry])));
  const added = entries.filter((entry) => !wanted.some((other) => canonical([other]) === canonical([entry])));
  return { missing, added };
}

const attachment = (name) => ({ name: `${name}.pdf`, mediaType: 'application/pdf', content: btoa('of the user') });

function withLabels(schema, groups) {
  const properties = structuredClone(schema.properties);
  for (const { name, label } of groups) {
    const property = properties[name] ?? properties[name.replace('[]', '')];
    if (property && !property.description?.startsWith(label)) {
      property.description = `${label}. ${property.description ?? ''}`;
    }
  }
  return { properties };
}

async function run(tab, column, { name, gold, entries: wanted, files, ofUser, groups, where }) {
  const { isText = false } = columns[column];
  await open(tab, name, column);
  const schema = await tab.evaluate(() => globalThis.factory.schema());
  if (!schema) return { where, unaddressed: Object.keys(gold), error: 'no tool' };
  const attached = Object.fromEntries(files.map(({ name: file, label }) => [label, attachment(file)]));
  const named = options.named ? withLabels(schema, groups) : schema;
  const { input, unaddressed } = inputFor({ ...gold, ...attached }, named);
  // Passwords and files that the tool leaves out are entered by the user before the call.
  const entered = ofUser.filter(({ label }) => unaddressed.includes(label));
  const outcome = await tab.evaluate((...args) => globalThis.factory.call(...args), input, entered, isText);
  const isEqual = outcome.entries !== undefined && canonical(outcome.entries) === canonical(wanted);
  const forTool = unaddressed.filter((label) => entered.every((other) => other.label !== label));
  return {
    where,
    unaddressed: forTool,
    ...outcome,
    isEqual,
    ...(outcome.entries && differences(outcome.entries, wanted)),
  };
}

async function measure(column, records) {
  const browser = await launchChromium(columns[column].flags ?? []);
  const tab = await browser.newPage();
  const outcomes = [];
  for (const record of records) outcomes.push(await run(tab, column, record));
  await browser.close();
  return outcomes;
}

const count = (list, of) => list.reduce((sum, item) => sum + of(item), 0);

function report(column, records, outcomes) {
  const lists = {
    unaddressed: outcomes.filter(({ unaddressed }) => unaddressed.length > 0),
    rejected: outcomes.filter(({ error, entries }) => error !== undefined || !entries),
    different: outcomes.filter(({ isEqual, entries, error }) => error === undefined && entries && !isEqual),
  };
  for (const { where, error, unaddressed, missing, added, answer } of lists[listed] ?? []) {
    console.log(column, where, JSON.stringify({ error, unaddressed, missing, added, answer }));
  }
  const values = count(records, ({ gold }) => Object.keys(gold).length);
  const equal = outcomes.filter(({ isEqual }) => isEqual);
  const accepted = outcomes.length - lists.rejected.length;
  return {
    forms: new Set(records.map(({ name }) => name)).size,
    records: records.length,
    'gold values': values,
    addressed: share(values - count(outcomes, ({ unaddressed }) => unaddressed.length), values),
    accepted: share(accepted, records.length),
    equal: share(equal.length, records.length),
    'of the addressed': share(equal.length, outcomes.filter(({ unaddressed }) => unaddressed.length === 0).length),
  };
}

function reportData(all) {
  const wrong = all.flatMap(({ where, wrong }) => Object.entries(wrong).map(([label, why]) => ({ where, label, why })));
  const kinds = {};
  for (const { where, label, why } of wrong) {
    const kind = `${where.split(' ')[0]} ${label}: ${why}`;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  if (listed === 'data') for (const [kind, times] of Object.entries(kinds)) console.log(times, kind);
  const impossible = all.filter(({ invalid }) => invalid.length > 0);
  if (listed === 'data') for (const { where, invalid } of impossible) console.log(where, invalid.join());
  console.log(
    `${wrong.length} values of the data have no label or no choice in the page, are files, or are not kept by it.`,
  );
  console.log(`${impossible.length} records lack a required value, so that nobody can submit them.`);
}

try {
  const browser = await launchChromium([]);
  const all = await plans(browser);
  await browser.close();
  reportData(all);
  const possible = all.filter(({ invalid }) => invalid.length === 0);
  const rows = {};
  for (const column of options.only?.split(',') ?? Object.keys(columns)) {
    if (!columns[column]) continue;
    rows[column] = report(column, possible, await measure(column, possible));
  }
  console.table(rows);
} finally {
  server.close();
}
