// The pages that all front ends must read identically. Node tests import this module, browser tests fetch /corpus.json.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { casesOf } from './conformance/cases.mjs';

const fixtures = new URL('fixtures/', import.meta.url);
const read = (file) => readFileSync(file, 'utf8');
const doctype = '<!doctype html><meta charset=utf-8><title>t</title><body>';

/** Pairs of a page and the tools that Chromium 156 created from it. */
const golden = () => casesOf('tools').map((each) => ({ ...each, page: doctype + each.html }));

/** The project's cases: NAME.html, and NAME.json with the expected tools of each profile. */
const cases = () =>
  readdirSync(new URL('cases/', fixtures))
    .filter((file) => file.endsWith('.html'))
    .sort()
    .map((file) => ({
      name: basename(file, '.html'),
      page: read(new URL(`cases/${file}`, fixtures)),
      expected: JSON.parse(read(new URL(`cases/${file.replace(/html$/, 'json')}`, fixtures))),
    }));

const folderOf = (name) => fileURLToPath(new URL(`node_modules/${name}`, import.meta.url));

const filesBelow = (folder, ending) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => join(folder, file));

const slug = (name) => name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');

const annotation = (name) =>
  `<form toolname="${slug(name).slice(0, 128)}" tooldescription="Fills in a published form."`;

/** A page of a published package: its first form is annotated, or the page is wrapped in an annotated form. */
const published = (name, html) => ({
  name,
  page:
    doctype +
    (/<form\b/i.test(html) ? html.replace(/<form\b/i, annotation(name)) : `${annotation(name)}>${html}</form>`),
});

const govuk = () =>
  filesBelow(join(folderOf('govuk-frontend'), 'dist', 'govuk', 'components'), 'fixtures.json').flatMap((file) => {
    const { component, fixtures } = JSON.parse(read(file));
    return fixtures.map(({ name, html }) => published(`govuk ${component} ${name}`, html));
  });

const uswds = () =>
  filesBelow(join(folderOf('@uswds/uswds'), 'packages'), '.html').map((file) =>
    published(`uswds ${basename(file, '.html')} ${basename(join(file, '../../..'))}`, read(file)),
  );

export const corpus = () => ({ golden: golden(), cases: cases(), published: [...govuk(), ...uswds()] });
