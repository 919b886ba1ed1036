// The pages of the benchmarks: published fixtures, the same fixtures inside whole pages, and pages without tools.
import { readdirSync, readFileSync } from 'node:fs';
import { corpus } from '../test/corpus.mjs';

const govuk = new URL('../test/node_modules/govuk-frontend/dist/govuk/components/', import.meta.url);
const fixture = (component, wanted) =>
  JSON.parse(readFileSync(new URL(`${component}/fixtures.json`, govuk), 'utf8')).fixtures.find(
    ({ name }) => name === wanted,
  ).html;

const header = fixture('header', 'default');
const footer = fixture('footer', 'Full GDS example');

/** The markup around a form of a typical page: header, text with links and a list, footer. */
const article = Array.from(
  { length: 12 },
  (_, index) =>
    `<h2 id="part-${index}" class="govuk-heading-m">Part ${index}</h2>` +
    `<p class="govuk-body">Use this service to <a class="govuk-link" href="/apply/${index}">apply for a licence</a> or to ` +
    'check the state of an application. It takes about ten minutes, and you need your reference number.</p>' +
    '<ul class="govuk-list"><li>your name and address</li><li>your <strong>reference number</strong></li></ul>',
).join('');

const whole = (content) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Apply</title>` +
  `<link rel="stylesheet" href="/govuk.css"></head><body class="govuk-template__body">${header}` +
  `<main class="govuk-main-wrapper">${article}${content}</main>${footer}</body></html>`;

/** 783 annotated fixtures of two design systems, which only contain forms. */
export const fixtures = corpus().published.map(({ page }) => page);

/** The same forms in pages of 21 kB, 5% of which is the form. */
export const pages = fixtures.map((page) => whole(page.replace(/^.*?<body>/, '')));

export const pagesWithoutTools = pages.map((page) => page.replace(/ toolname="[^"]*" tooldescription="[^"]*"/, ''));

const demoFolder = new URL('../demo/', import.meta.url);

/** The demo's pages with tools, repeated. At least a third of each page is its form. */
export const demo = readdirSync(demoFolder)
  .filter((file) => file.endsWith('.html'))
  .map((file) => readFileSync(new URL(file, demoFolder), 'utf8'))
  .filter((page) => page.includes('toolname'))
  .flatMap((page) => Array.from({ length: 60 }, () => page));
