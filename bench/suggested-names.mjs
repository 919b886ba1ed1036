// Measures the suggestions for forms whose types people have labelled: node bench/suggested-names.mjs FOLDER
// FOLDER and HALF are those of labelled-pages.mjs. LIST=login (or another type) prints the names that do not fit, and the forms
// of accounts that are not sensitive. LIST=login,high prints only those with the confidence high.
import { register } from 'tsx/esm/api';
import { half, labelledPages, share } from './labelled-pages.mjs';

register();
const { readForms } = await import('../src/compiler/index.ts');
const { parsePage } = await import('../src/parse5/parse5-tree.ts');
const { suggestAnnotations } = await import('../src/suggest/index.ts');

const [folder] = process.argv.slice(2);
const [listed, only] = (process.env.LIST ?? '').split(',');

/** The types of forms by the codes of the data set's config.json, with the names that fit. */
const types = {
  s: ['search', /^(?:search|find|look_up|locate|lookup|buscar|suche|recherche)/],
  l: ['login', /^(?:log_in|log_on|login|sign_in|unlock|enter_verification_code|anmelden|einloggen|iniciar_sesion)/],
  r: [
    'registration',
    /^(?:create|continue|register|sign_up|join|set_up|open|start|get|request|submit|add)_.*(?:account|registration|profile|user|member)|^(?:register|registration|sign_up|join|enroll?|registr|inscri)/,
  ],
  p: ['recovery', /password|forgot|recover|reset|username|account|passwort|contrasena/],
  c: [
    'contact or comment',
    /^(?:contact|comment|ask|reply)|^(?:send|post|submit|leave|add|write|create|request|make|share|report|provide|give|publish|enviar)_.*(?:message|comment|reply|review|feedback|enquiry|inquiry|question|email|mail|contact|request|topic|answer|quote|mensaje|report|post)|message|comment|contact/,
  ],
  m: [
    'mailing list',
    /subscri|newsletter|email_updates|notification|mailing_list|^(?:sign_up|join|get_|request_).*|updates|news/,
  ],
  b: [
    'order',
    /^(?:add|buy|order|purchase|place|book|pay|checkout|check_out|bid|submit_payment|donate|reserve|proceed|kaufen)|cart|basket|order/,
  ],
  P: ['poll', /vote|poll|answer/],
  V: ['display options', /sort|filter|show|display|switch|set|change|view|select|language|go/],
};

/** The types that a person should submit. */
const ofAccounts = new Set(['l', 'r', 'p']);

const emptyRow = () => ({ forms: 0, suggested: 0, fits: 0, high: 0, fitsAtHigh: 0, sensitive: 0 });
const rows = new Map(Object.keys(types).map((code) => [code, emptyRow()]));
const pages = { read: 0, different: 0 };

for (const { file, html, forms: codes } of labelledPages(folder)) {
  const { tree, document } = parsePage(html);
  const forms = readForms(tree, document);
  pages.read++;
  if (forms.length !== codes.length) {
    pages.different++; // parsers disagree about a form in a form
    continue;
  }
  const takenNames = new Set();
  for (const [index, { form, scope }] of forms.entries()) {
    const suggestion = suggestAnnotations(tree, form, { takenNames, scope });
    if (suggestion) takenNames.add(suggestion.toolName.value);
    if (rows.has(codes[index])) count(codes[index], suggestion, `${file} form ${index}`);
  }
}

function count(code, suggestion, where) {
  const row = rows.get(code);
  const [type, fitting] = types[code];
  row.forms++;
  if (!suggestion) {
    if (listed === type && !only) console.log(`${where}: no suggestion`);
    return;
  }
  const { toolName, confidence, sensitive, toolDescription } = suggestion;
  const fits = fitting.test(toolName.value);
  row.suggested++;
  row.fits += Number(fits);
  row.high += Number(confidence === 'high');
  row.fitsAtHigh += Number(fits && confidence === 'high');
  row.sensitive += Number(sensitive !== undefined);
  const isUnexpected = !fits || (ofAccounts.has(code) && !sensitive) || (!ofAccounts.has(code) && sensitive);
  if (listed === type && isUnexpected && (!only || only === confidence))
    console.log(`${where}: ${confidence} ${sensitive ?? '-'} ${toolName.value}: ${toolDescription.value}`);
}

const table = {};
for (const [code, { forms, suggested, fits, high, fitsAtHigh, sensitive }] of rows)
  table[types[code][0]] = {
    forms,
    suggested,
    fits: share(fits, suggested),
    'confidence high': share(high, suggested),
    'fits at high': share(fitsAtHigh, high),
    sensitive: share(sensitive, suggested),
  };
console.log(
  `Formasaurus, ${pages.read} pages with ${half} numbers, ${pages.different} of them left out for their forms`,
);
console.log(
  '(asked: names of login, registration, recovery and search fit at least 95 % at high confidence; sensitive 98 %):',
);
console.table(table);
