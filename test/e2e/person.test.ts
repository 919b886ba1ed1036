import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { chromium, type Browser, type Page } from 'playwright-core';
import { chromiumPath, skipWithout } from '../../tools/programs.mjs';
import { openSite, type Recorded, type Site } from '../support/gateway/recording.js';
import { submittedForms, type SubmittedForm } from '../support/headless/submitted-forms.js';
import { actAsPerson } from '../support/e2e/act-as-person.js';
import { until } from '../support/until.js';

const script = readFileSync(fileURLToPath(new URL('../../dist/webmcp-forms.full.iife.js', import.meta.url)));
const head = '<!doctype html><link rel=icon href=data:,><title>x</title>';
const tag = '<script src=/script.js data-profile=precise></script>';

/** Forms whose calls differ from what a person sends, or that a person cannot submit. */
const exceptions: Readonly<Record<string, string>> = {
  'a form-associated custom element': 'It has nothing that a person could type into.',
  directions: 'It has a password, so a call waits for the person.',
  'a file without a type': 'A browser derives the type of a chosen file from its name.',
};

/** A form without a button gets one, because a person can submit it only if it has a single text field. */
function htmlOf({ form = '', controls, before = '', after = '' }: SubmittedForm): string {
  const hasButton = /<button(?![^>]*(?:type=button|disabled))|type=(?:submit|image)/.test(before + controls + after);
  const tool = `<form toolname=t tooldescription=t toolautosubmit ${form}>${controls}${hasButton ? '' : '<button>Go</button>'}</form>`;
  return before + tool + after;
}

function normalize({ method, url, headers, body }: Recorded): object {
  const { 'content-type': type = '', origin, referer, 'content-length': length } = headers;
  const boundary = /boundary=(\S+)/.exec(type)?.[1];
  const plain = (text: string): string => (boundary === undefined ? text : text.replaceAll(boundary, 'BOUNDARY'));
  return { method, url, type: plain(type), body: plain(body), origin, referer, length };
}

describe('a call in a page, compared with a person', { skip: skipWithout('chromium') }, () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  let served: (SubmittedForm & { readonly scripts: string }) | undefined;
  const submissions: Recorded[] = [];

  beforeAll(async () => {
    site = await openSite((request, response) => {
      if (request.url === '/script.js') return response.end(script);
      if (!served) {
        submissions.push(request);
        return response.writeHead(204).end();
      }
      const { charset = 'utf-8', scripts } = served;
      const headers = { 'content-type': `text/html; charset=${charset}` };
      response.writeHead(200, headers).end(head + scripts + htmlOf(served));
      return (served = undefined);
    });
    browser = await chromium.launch({ executablePath: chromiumPath() as string, args: ['--no-sandbox'] });
    page = await browser.newPage();
  });
  afterAll(async () => {
    site.close(); // first, because the browser may not have started
    await browser.close();
  });

  async function submitted(form: SubmittedForm, scripts: string, act: () => Promise<void>): Promise<object> {
    served = { ...form, scripts };
    await page.goto(site.origin + (form.path ?? '/folder/page'));
    submissions.length = 0;
    await act();
    await until(() => submissions.length > 0);
    return normalize(submissions[0] as Recorded);
  }

  /** The site does not respond with a page, so the call does not end. */
  const callTool = (input: object): Promise<void> =>
    page.evaluate(async (value) => {
      const [tool] = await document.modelContext.getTools();
      if (!tool) throw new Error('The page has no tool.');
      void document.modelContext.executeTool(tool, value).catch(() => undefined);
    }, input);

  for (const form of submittedForms.filter(({ name }) => !Object.hasOwn(exceptions, name)))
    it(`sends the same request: ${form.name}`, async () => {
      const input = (form.input ?? {}) as Readonly<Record<string, unknown>>;
      const byPerson = await submitted(form, '', () => actAsPerson(page, input));
      const byCall = await submitted(form, tag, () => callTool(input));
      assert.deepEqual(byCall, byPerson);
    });

  it('has no exception that is not a form of the corpus', () => {
    const names = new Set(submittedForms.map(({ name }) => name));
    assert.deepEqual(
      Object.keys(exceptions).filter((name) => !names.has(name)),
      [],
    );
  });
});
