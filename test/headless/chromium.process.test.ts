import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { chromium, type Browser, type Page } from 'playwright-core';
import { compileHtml } from '../../src/site/compile-html.js';
import type { JsonValue } from '../../src/compiler/index.js';
import { submitForm, type Fetch, type GatewayTool } from '../../gateway/src/index.js';
import { chromiumPath, skipWithout } from '../../tools/programs.mjs';
import { openSite, type Recorded, type Site } from '../support/gateway/recording.js';
import { until } from '../support/until.js';
import { submittedForms, type SubmittedForm } from '../support/headless/submitted-forms.js';

const executablePath = chromiumPath();

const htmlOf = ({ form = '', controls, before = '', after = '' }: SubmittedForm): string =>
  `<!doctype html><link rel=icon href=data:,><title>x</title>${before}<form toolname=t tooldescription=t ${form}>${controls}</form>${after}`;

/** Replaces the boundary, and the question mark of an empty query, which fetch does not send. */
function normalize({ method, url, headers, body }: Recorded): object {
  const type = headers['content-type'] ?? '';
  const boundary = /boundary=(\S+)/.exec(type)?.[1];
  const plain = (text: string): string => (boundary === undefined ? text : text.replaceAll(boundary, 'BOUNDARY'));
  return { method, url: url.replace(/\?$/, ''), type: plain(type), body: plain(body) };
}

/** Runs the script of a case in the page, then submits the form. */
const submitInPage = (script: string): string => `{
  const form = document.querySelector('form[toolname]');
  const submitter = ((form) => { ${script} })(form);
  const first = [...document.querySelectorAll('button, input')].find(
    (each) => each.form === form && ['submit', 'image'].includes(each.type) && !each.matches(':disabled'),
  );
  form.requestSubmit(submitter ?? first);
}`;

describe('submitForm, compared with Chromium', { skip: skipWithout('chromium') }, () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  let current: SubmittedForm;
  /** All requests except those of pages. */
  const submissions: Recorded[] = [];

  beforeAll(async () => {
    site = await openSite((request, response) => {
      if (request.headers['x-page'] === undefined) {
        response.writeHead(204).end();
        return submissions.push(request);
      }
      const type = `text/html; charset=${current.charset ?? 'utf-8'}`;
      return response.writeHead(200, { 'content-type': type }).end(htmlOf(current));
    });
    browser = await chromium.launch({ executablePath: executablePath as string, args: ['--no-sandbox'] });
    page = await browser.newPage();
  });
  afterAll(async () => {
    site.close(); // first, because the browser may not have started
    await browser.close();
  });

  async function submittedByChromium({ path = '/folder/page', script = '' }: SubmittedForm): Promise<Recorded> {
    await page.setExtraHTTPHeaders({ 'x-page': '1' });
    await page.goto(site.origin + path);
    await page.setExtraHTTPHeaders({});
    submissions.length = 0;
    await page.evaluate(submitInPage(script));
    await until(() => submissions.length > 0);
    return submissions[0] as Recorded;
  }

  async function submittedByGateway({ path = '/folder/page', input = {}, ...form }: SubmittedForm): Promise<Recorded> {
    const { tools } = compileHtml(htmlOf({ ...form }), { path: 'page' });
    const tool = JSON.parse(JSON.stringify(tools[0])) as GatewayTool;
    let isPage = needsPage(tool, input); // then the first request is that of the page
    const fetchAs: Fetch = (url, init) => {
      const headers = new Headers(init.headers);
      if (isPage) headers.set('x-page', '1');
      isPage = false;
      return fetch(url, { ...init, headers });
    };
    const pageUrl = site.origin + path;
    submissions.length = 0;
    await submitForm({ tool, pageUrl, input, profile: 'precise', allowPrivateAddresses: true, fetch: fetchAs });
    assert.equal(submissions.length, 1);
    return submissions[0] as Recorded;
  }

  const hasEncodedQuery = (url: string | null | undefined): boolean => /\?.*[^\0-\x7f]/.test(url ?? '');
  const needsPage = ({ form }: GatewayTool, input: JsonValue): boolean =>
    hasEncodedQuery(form?.action) ||
    (form?.controls.some(
      ({ type, name, disabled, sensitive, prefilled, attributes }) =>
        hasEncodedQuery(attributes.formaction) ||
        (!disabled &&
          name !== '' &&
          ((type === 'hidden' && !/^_charset_$/i.test(name)) ||
            sensitive ||
            attributes.dirname ||
            (prefilled && !Object.hasOwn(input as object, name)))),
    ) ??
      false);

  for (const form of submittedForms) {
    const { name, deviates } = form;
    const title =
      deviates === undefined
        ? `sends the request of Chromium: ${name}`
        : `sends another request than Chromium: ${name}`;
    it(title, async () => {
      current = form;
      const expected = normalize(await submittedByChromium(form));
      const actual = normalize(await submittedByGateway(form));
      if (deviates === undefined) assert.deepEqual(actual, expected);
      else assert.notDeepEqual(actual, expected, `the requests are equal now: ${deviates}`);
    });
  }
});
