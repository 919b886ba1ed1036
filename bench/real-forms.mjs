// Measures the described parameters, honeypots ("traps"), secrets and captchas of pages whose fields people have labelled:
// node bench/real-forms.mjs FOLDER
// FOLDER and HALF are those of labelled-pages.mjs. LIST=traps (or secrets, omitted, undescribed) prints these fields.
import { parse } from 'parse5';
import { compileHtml } from '../dist/build.js';
import { synthesizeParameters } from '../dist/compiler/index.js';
import { annotate, half, labelledPages, share } from './labelled-pages.mjs';

const [folder] = process.argv.slice(2);
const { LIST: listed } = process.env;

/** The labels of secrets in the data set, from its config.json. */
const secrets = new Set(['p1', 'p2', 'pi', 'c#', 'cs', 'cm', 'cy']);
/** The control types that never become parameters. */
const excluded = new Set(['submit', 'image', 'reset', 'button', 'hidden', 'password']);

function formsOf(html) {
  const forms = [];
  const pending = [parse(html, { sourceCodeLocationInfo: true })];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.tagName === 'form' && node.sourceCodeLocation?.startTag) forms.push(node);
    pending.push(...(node.childNodes ?? []).toReversed());
  }
  return forms.map(({ sourceCodeLocation }) => sourceCodeLocation.startTag.startOffset + '<form'.length);
}

const isFixed = ({ disabled, attributes }) => disabled || attributes.readonly !== undefined;

function kindOf(label) {
  if (label === 'hp') return 'traps';
  if (secrets.has(label)) return 'secrets';
  return label === 'ca' ? 'captchas' : 'ordinary';
}

function measure(profile) {
  const counts = { pages: 0, failed: 0, parameters: 0, described: 0, fixed: 0 };
  for (const kind of ['traps', 'secrets', 'captchas', 'ordinary'])
    Object.assign(counts, { [kind]: 0, [`${kind} exposed`]: 0 });
  const lists = { traps: [], secrets: [], captchas: [], omitted: [], undescribed: [] };
  for (const { file, html, fields } of labelledPages(folder)) {
    counts.pages++;
    try {
      const { tools } = compileHtml(annotate(html, formsOf(html)), { path: file, profile });
      for (const { name, form } of tools) {
        count(form, synthesizeParameters(form, { profile }), fields[name] ?? {}, `${file} form ${name}`);
      }
    } catch (error) {
      counts.failed++;
      console.error(file, error);
    }
  }
  function count(form, parameters, labels, where) {
    const exposed = new Set();
    for (const { name, units, words } of parameters) {
      counts.parameters++;
      if (words.length > 0 || units[0].kind === 'submitter') counts.described++; // buttons have a sentence
      else lists.undescribed.push(`${where}: ${name}`);
      for (const { controls } of units) for (const index of controls) exposed.add(form.controls[index].name);
    }
    for (const [name, label] of Object.entries(labels)) {
      const kind = kindOf(label);
      const controls = form.controls.filter((control) => control.name === name);
      if (kind === 'ordinary' && controls.every(({ type }) => excluded.has(type))) continue;
      // Without a script, a person cannot change controls that are disabled or read-only, and forms do not send
      // disabled controls.
      if (kind === 'ordinary' && controls.every(isFixed)) {
        counts.fixed += Number(!exposed.has(name));
        continue;
      }
      counts[kind]++;
      counts[`${kind} exposed`] += Number(exposed.has(name));
      if (exposed.has(name) === (kind !== 'ordinary')) (lists[kind] ?? lists.omitted).push(`${where}: ${name}`);
    }
  }
  return { counts, lists };
}

const rows = {};
for (const profile of ['chromium', 'precise', 'portable']) {
  const { counts, lists } = measure(profile);
  rows[profile] = {
    pages: counts.pages,
    failed: counts.failed,
    parameters: counts.parameters,
    described: share(counts.described, counts.parameters),
    'traps exposed': `${counts['traps exposed']} of ${counts.traps}`,
    'secrets exposed': `${counts['secrets exposed']} of ${counts.secrets}`,
    'captchas exposed': `${counts['captchas exposed']} of ${counts.captchas}`,
    'ordinary fields omitted': share(counts.ordinary - counts['ordinary exposed'], counts.ordinary),
    'disabled or read-only ones omitted': counts.fixed,
  };
  if (listed) console.log(profile, lists[listed]);
}
console.log(
  `Formasaurus, pages with ${half} numbers (asked of precise: described at least 90 %, traps exposed at most 3 %,`,
);
console.log('secrets at most 1 %, ordinary fields omitted at most 2 %):');
console.table(rows);
