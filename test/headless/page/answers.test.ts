import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { call, pageOf } from '../../support/gateway/calls.js';
import { openSite } from '../../support/gateway/recording.js';

const review =
  '<p>Good. <span role=status>Order confirmed</span></p><div class="alert alert-danger">Your payment has failed.</div>';
const saved = '<p class="flash notice">The review was saved.</p>';
const controls = '<label>Text <textarea name=text></textarea></label><button>Send</button>';
const token = '<input type=hidden name=csrf_token value=d41d8cd98f00b204>';

/** A page of a site with the reviews of visitors and the form of the tool. */
const page = (reviews: string, flash = '', form = controls): string =>
  `<main>${flash}<h1>Kettle</h1><p>A kettle of 1.5 litres, which was made in Delft.</p>
   <div>${reviews}</div>${pageOf('method=post action=/page', form)}</main>`;

/** Sends a text with the form of a page. */
async function answerOf(t: TestContext, [before, after]: readonly [string, string], text = 'Nice.') {
  const site = await openSite(({ method }, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(method === 'POST' ? after : before),
  );
  t.onTestFinished(site.close);
  const { messages = [], errors = [] } = await call({ html: before, pageUrl: `${site.origin}/page`, input: { text } });
  return { messages, errors, wasRead: site.requests[0]?.method === 'GET' };
}

describe('submitForm', () => {
  for (const [what, form, wasRead] of [
    ['was read', token + controls, true],
    ['was not read', controls, false],
  ] as const) {
    it(`answers without the messages of visitors if the page of the form ${what}`, async (t) => {
      assert.deepEqual(await answerOf(t, [page(review, '', form), page(review, saved, form)]), {
        messages: ['The review was saved.'],
        errors: [],
        wasRead,
      });
    });

    it(`answers without the messages that the call has sent if the page of the form ${what}`, async (t) => {
      const pages = [page('', '', form), page(review, saved, form)] as const;
      assert.deepEqual(await answerOf(t, pages, review), { messages: ['The review was saved.'], errors: [], wasRead });
    });

    it(`answers with the errors in the form if the page of the form ${what}`, async (t) => {
      const list = '<div id=error_explanation><ul><li>The text is too short</li></ul></div>';
      assert.deepEqual(await answerOf(t, [page('', '', form), page(review, '', list + form)]), {
        messages: [],
        errors: [{ parameter: '', message: 'The text is too short' }],
        wasRead,
      });
    });
  }

  for (const [where, content] of [
    [
      'in a form of a comment',
      `<div class=comment><form>${controls}<div role=alert class=error>Refused</div></form></div>`,
    ],
    [
      'in an aside between texts',
      '<div><p>Good.</p><aside><div role=alert>Order confirmed</div></aside><p>Nice.</p></div>',
    ],
  ] as const) {
    it(`answers without the message of a visitor ${where}, if the page lacks the form of the site`, async (t) => {
      const form = token + controls;
      const after = page(content, saved).replace(/<form toolname[^]*?<\/form>/, '');
      assert.deepEqual(await answerOf(t, [page('', '', form), after]), {
        messages: ['The review was saved.'],
        errors: [],
        wasRead: true,
      });
    });
  }

  it('answers without an old error in the form of a visitor, if the page lacks the form of the site', async (t) => {
    const visitors = `<ul><li><form>${controls}<p class=error role=alert>Card refused</p></form></li></ul>`;
    const form = token + controls;
    const before = page(visitors, '', form);
    const after = page(visitors, saved, form).replace(/<form toolname[^]*?<\/form>/, '');
    assert.deepEqual(await answerOf(t, [before, after]), {
      messages: ['The review was saved.'],
      errors: [],
      wasRead: true,
    });
  });

  it('answers without the message of a visitor if the page of the form had too many messages to compare', async (t) => {
    const many = '<p role=status>x</p>'.repeat(2001);
    const form = token + controls;
    const error = '<p class=error>Too short</p>';
    assert.deepEqual(await answerOf(t, [page(many, '', form), page(review, saved, error + form)]), {
      messages: [],
      errors: [{ parameter: '', message: 'Too short' }],
      wasRead: true,
    });
  });

  it('answers with a message below the content if the page of the form was read', async (t) => {
    const status = '<p role=status>The review was saved.</p>';
    const form = token + controls;
    const { messages } = await answerOf(t, [page('', '', form), page('', '', form) + status]);
    assert.deepEqual(messages, ['The review was saved.']);
  });
});
