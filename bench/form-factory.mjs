// Fills long forms with gold values by label and compares what is submitted: node bench/form-factory.mjs FOLDER
// FOLDER has `templates`, `data/data1` and `app.py` of github.com/formfactory-ai/formfactory (MIT), which is not part of this
// project. Options: --records 20 (or all), --form B11, --only precise. LIST=unaddressed, rejected, different or data prints them.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answerScript, contestants, launchChromium } from './contestants.mjs';
import { findChoice, findLabel, inputFor, isTrue, isoDate, text } from './form-factory-input.mjs';

const { values: options, positionals } = parseArgs({
  options: { records: { type: 'string', default: '20' }, form: { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (!folder) throw new Error('Name the folder of a copy of FormFactory.');
const { LIST: listed } = process.env;

const inPage = fileURLToPath(new URL('form-factory-page.js', import.meta.url));

/** The template and the data of each form. */
const forms = {
  A11: 'job_applications',
  A12: 'grant_applications',
  A13: 'scholarship_applications',
  A14: 'paper_submissions',
  A15: 'student_courses',
  B11: 'startup_funding_applications',
  B12: 'real_estate_rental_applications',
  B13: 'workshop_registrations',
  B14: 'membership_application',
  C11: 'Art_Exhibition_Submission_Form',
  C12: 'Literary_Magazine_Submission',
  C13: 'Conference_Speaker_Application',
  D11: 'Bug_report',
  D12: 'IT_support',
  E11: 'person_loan_applications',
  E12: 'bank_account_applications',
  E13: 'financial_planning',
  F11: 'Patient_Consent',
  F12: 'Medical_study_Form',
  F13: 'Health_Insurance',
  G11: 'NDA',
  G12: 'Background_check',
  G13: 'Contrator_onboard',
  H11: 'Project_Bid',
  H12: 'Manufacturing_Order',
};

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

const scripts = createRequire(new URL('../test/', import.meta.url));
const widgets = { cleave: 'cleave.js/dist/cleave.min.js', flatpickr: 'flatpickr/dist/flatpickr.min.js' };

/** Removes Flask's templating, and points the widgets of a page to this server. Other scripts of it are not loaded. */
const plain = (template) =>
  template
    .replace(/\{%[^%]*%\}/g, '')
    .replace(/<(script|link)[^>]*\b(?:src|href)="https:\/\/([^"]*)"[^>]*>/g, (_, tag, url) => {
      const widget = tag === 'script' && Object.keys(widgets).find((name) => url.includes(name));
      return tag === 'link' ? '' : `<script${widget ? ` src="/widgets/${widget}"` : ''}>`;
    });

function page(name, column) {
  const { tag, prefix } = columns[column] ?? { tag: '', prefix: 'data-' };
  const annotation = `${prefix}toolname="form_factory" ${prefix}tooldescription="Sends the form." ${prefix}toolautosubmit`;
  const html = plain(readFileSync(join(folder, 'templates', `${name}.html`), 'utf8'));
  return `<!doctype html>${tag}${html.replace('<form', `<form ${annotation}`)}`;
}

/** The fields that the application sends to the form that a script builds. */
function formConfig() {
  const source = readFileSync(join(folder, 'app.py'), 'utf8');
  const [, dictionary] = /def form_config\(\):.*?response = (\{.*?\n {4}\})/s.exec(source);
  return dictionary
    .replace(/#.*$/gm, '')
    .replaceAll('True', 'true')
    .replaceAll('False', 'false')
    .replaceAll("'", '"')
    .replace(/,(\s*[\]}])/g, '$1');
}

async function serve() {
  const server = createServer((request, response) => {
    if (answerScript(request, response)) return;
    const [, first, second] = request.url.split('/');
    const types = { widgets: 'text/javascript', 'form-config': 'application/json' };
    response.setHeader('content-type', `${types[first] ?? 'text/html'}; charset=utf-8`);
    if (first === 'widgets') response.end(readFileSync(scripts.resolve(widgets[second])));
    else if (first === 'form-config') response.end(formConfig());
    else if (forms[first]) response.end(page(first, second));
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const server = await serve();

/** Opens a form. The form that a script builds is complete when its last control is there. */
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

/**
 * What a person would submit for a record: gold values by label that the form takes, what the user enters because it is not
 * meant for agents, and the entry list. It is read from the page, without its tool.
 */
async function plan(tab, groups, record) {
  const values = [];
  const wrong = {};
  const labels = {};
  for (const [label, value] of Object.entries(record)) {
    const group = findLabel(aliases[label] ?? label, groups);
    const entered = group && valueOf(value, group);
    if (entered === undefined) wrong[label] = group ? group.type : 'no such label';
    else labels[group.name] = label;
    if (entered !== undefined) values.push([group.name, entered]);
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
  return { gold, wrong, entries, invalid, files, ofUser };
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

/** A date of the data is the same in another notation, because a date field of a script chooses its own. */
const canonical = (entries) => JSON.stringify(entries.map(([name, value]) => [name, isoDate(value)]).toSorted());

function differences(entries, wanted) {
  const missing = wanted.filter((entry) => !entries.some((other) => canonical([other]) === canonical([entry])));
  const added = entries.filter((entry) => !wanted.some((other) => canonical([other]) === canonical([entry])));
  return { missing, added };
}

const attachment = (name) => ({ name: `${name}.pdf`, mediaType: 'application/pdf', content: btoa('of the user') });

async function run(tab, column, { name, gold, entries: wanted, files, ofUser, where }) {
  const { isText = false } = columns[column];
  await open(tab, name, column);
  const schema = await tab.evaluate(() => globalThis.factory.schema());
  if (!schema) return { where, unaddressed: Object.keys(gold), error: 'no tool' };
  const attached = Object.fromEntries(files.map(({ name: file, label }) => [label, attachment(file)]));
  const { input, unaddressed } = inputFor({ ...gold, ...attached }, schema);
  // Passwords and files that the tool leaves out are entered by the user before the call.
  const entered = ofUser.filter(({ label }) => unaddressed.includes(label));
  const outcome = await tab.evaluate((...args) => globalThis.factory.call(...args), input, entered, isText);
  const isEqual = outcome.entries !== undefined && canonical(outcome.entries) === canonical(wanted);
  const forTool = unaddressed.filter((label) => entered.every((other) => other.label !== label));
  return { where, unaddressed: forTool, ...outcome, isEqual, ...(outcome.entries && differences(outcome.entries, wanted)) };
}

async function measure(column, records) {
  const browser = await launchChromium(columns[column].flags ?? []);
  const tab = await browser.newPage();
  const outcomes = [];
  for (const record of records) outcomes.push(await run(tab, column, record));
  await browser.close();
  return outcomes;
}

const share = (part, all) => `${((100 * part) / all).toFixed(1)} %`;
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
  const accepted = outcomes.length - lists.rejected.length;
  return {
    forms: new Set(records.map(({ name }) => name)).size,
    records: records.length,
    'gold values': values,
    addressed: share(values - count(outcomes, ({ unaddressed }) => unaddressed.length), values),
    accepted: share(accepted, records.length),
    equal: share(outcomes.filter(({ isEqual }) => isEqual).length, records.length),
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
  console.log(`${wrong.length} values of the data have no label or no choice in the page, are files, or are refused by it.`);
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
