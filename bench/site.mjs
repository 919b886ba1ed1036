// Generates a site from published markup. A third of its pages have annotated forms.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpus } from '../test/corpus.mjs';

const govuk = new URL('../test/node_modules/govuk-frontend/dist/govuk/components/', import.meta.url);
const fixtures = (component) => JSON.parse(readFileSync(new URL(`${component}/fixtures.json`, govuk), 'utf8')).fixtures;
const fixture = (component, wanted) => fixtures(component).find(({ name }) => name === wanted).html;

const header = fixture('header', 'default') + fixture('service-navigation', 'with large navigation');
const footer = fixture('footer', 'Full GDS example');
const crumbs = fixture('breadcrumbs', 'default');
const search =
  '<form class="app-search" action="/search" role="search"><label for="app-search">Search</label>' +
  '<input id="app-search" name="q" type="search"><button class="govuk-button">Search</button></form>';

const content = ['accordion', 'details', 'inset-text', 'notification-banner', 'panel', 'summary-list', 'table', 'tabs']
  .flatMap(fixtures)
  .map(({ html }) => html)
  .filter((html) => html.length < 12_000);

/** The annotated forms of two design systems and of the demo. */
const demoFolder = new URL('../demo/', import.meta.url);
const forms = [
  ...corpus().published.map(({ page }) => page.replace(/^.*?<body>/, '')),
  ...readdirSync(demoFolder)
    .filter((file) => file.endsWith('.html'))
    .flatMap(
      (file) => readFileSync(new URL(file, demoFolder), 'utf8').match(/<form\b[^>]*\btoolname=[^]*?<\/form>/g) ?? [],
    ),
];

const words =
  'the service of your application reference number is needed before a licence can be renewed and you will get an answer in ten working days unless documents are missing from it'.split(
    ' ',
  );

/** https://en.wikipedia.org/wiki/Linear_congruential_generator, so that the site is the same on every machine. */
function numbersFrom(seed) {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const sentence = (next) => `${Array.from({ length: 8 + next(20) }, () => words[next(words.length)]).join(' ')}.`;

function section(next, number) {
  if (next(4) === 0) return content[next(content.length)];
  const links = Array.from(
    { length: 2 + next(4) },
    () => `<li><a class="govuk-link" href="/p/${next(10_000)}">${sentence(next)}</a></li>`,
  );
  return (
    `<h2 id="part-${number}" class="govuk-heading-m">Part ${number}</h2>` +
    `<p class="govuk-body">${sentence(next)} ${sentence(next)} ${sentence(next)}</p>` +
    `<ul class="govuk-list govuk-list--bullet">${links.join('')}</ul>`
  );
}

/** A page of 8 to 60 kB. Its header of 2 kB contains a form without annotations, and its footer has 5 kB. */
export function pageText(number) {
  const next = numbersFrom(number);
  const length = 4_000 + next(next(4) === 0 ? 45_000 : 18_000);
  const parts = number % 3 === 0 ? [forms[next(forms.length)]] : [];
  for (let size = parts.join('').length; size < length; size += parts.at(-1).length)
    parts.push(section(next, parts.length));
  parts.push(parts.shift());
  return (
    `<!doctype html>\n<html lang="en" class="govuk-template">\n<head><meta charset="utf-8"><title>Page ${number}</title>` +
    '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/govuk.css">' +
    `<script type="module" src="/webmcp-forms.js"></script></head>\n<body class="govuk-template__body">${header}${search}` +
    `<div class="govuk-width-container">${crumbs}<main class="govuk-main-wrapper">${parts.join('\n')}</main></div>${footer}</body></html>\n`
  );
}

export const pagePath = (number) => `part-${Math.floor(number / 100)}/page-${number}.html`;

export function writeSite(folder, pages) {
  for (let number = 0; number < pages; number++) {
    const at = join(folder, pagePath(number));
    if (number % 100 === 0) mkdirSync(join(at, '..'), { recursive: true });
    writeFileSync(at, pageText(number));
  }
}
