import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { call, failureOf, pageOf, secret, toolOf, type CallOptions } from '../../support/gateway/calls.js';
import { withinCpuSeconds } from '../../support/cpu-time.js';
import { openSite, type Site } from '../../support/gateway/recording.js';

const html = pageOf('method=post action=/sent', '<input type=hidden name=csrf value=old><input name=q required>');
const current = html.replace('value=old', 'value=new');
const injected = (name: string, controls: string): string =>
  `<form ${name} method=post action=/sent><input name=q>${controls}</form>`;
const hidden = '<input type=hidden name=role value=admin>';

/** Submits a form whose page has changed since it was compiled. */
async function visit(t: TestContext, page: string, compiled = html, status = 200, options: Partial<CallOptions> = {}) {
  const site: Site = await openSite(({ url }, response) =>
    url?.startsWith('/sent')
      ? response.end('received')
      : response.writeHead(status, { 'content-type': 'text/html' }).end(page),
  );
  t.onTestFinished(site.close);
  const answer = call({ html: compiled, pageUrl: `${site.origin}/page`, input: { q: 'x' }, ...options });
  answer.catch(() => undefined);
  return { site, answer };
}

describe('submitForm, for a page with several forms', () => {
  for (const [title, content] of [
    ['another form with the name of the tool', injected('toolname=t', hidden)],
    ['another form with data-toolname', injected('data-toolname=t', hidden)],
    [
      'a <webmcp-tool> of the same name',
      `${injected('id=a', hidden)}<webmcp-tool name=t for=a description=d></webmcp-tool>`,
    ],
    ['a form of the same name with another action', '<form toolname=t action=javascript:1><input name=q></form>'],
    [
      'a form of the same name in an element with data-webmcp-ignore',
      `<div data-webmcp-ignore>${html.replace('value=old', 'value=visitor')}<input form=f name=q value=visitor></div>`,
    ],
    ['a form of the same name in a template', `<template>${injected('toolname=t', hidden)}</template>`],
  ] as const) {
    it(`sends the form of the manifest if the page has ${title} before it`, async (t) => {
      const { site, answer } = await visit(t, content + current);
      assert.equal((await answer).status, 200);
      assert.equal(site.requests.at(-1)?.body, 'csrf=new&q=x');
    });
  }

  it('sends the first of equal forms', async (t) => {
    const added = current.replace('</form>', '<input type=hidden name=nonce value=1></form>');
    const { site, answer } = await visit(t, added + added.replace('value=1', 'value=2'));
    assert.equal((await answer).status, 200);
    assert.equal(site.requests.at(-1)?.body, 'csrf=new&q=x&nonce=1');
  });

  it('sends nothing if different forms have the name, and none is the form of the manifest', async (t) => {
    const added = current.replace('</form>', '<input type=hidden name=note value=1></form>');
    const { site, answer } = await visit(t, injected('toolname=t', hidden) + added);
    const { message } = await failureOf(answer, 'page-drift');
    assert.match(message, /\/page has different forms for the tool "t"\. None of them is that of the manifest: /);
    assert.match(message, /the form at line 1, column 1 has a further hidden control "role"; /);
    assert.match(message, /the form at line 1, column 136 has a further hidden control "note"\. /);
    assert.equal(site.requests.length, 1);
  });

  it('reports drift if the form is missing and another form has no URL over HTTP', async (t) => {
    const { answer } = await visit(t, '<form method=dialog><input name=q></form>');
    assert.match((await failureOf(answer, 'page-drift')).message, /has no form that matches the tool "t"/);
  });

  it('sends nothing if the page has too many forms of the name to compare them all', async (t) => {
    const html = pageOf('method=post action=/sent', '<input type=hidden name=id value=1><input name=q>');
    const other = html.replace('name=q', 'name=q value=x');
    const { site, answer } = await visit(t, other + '<form toolname=t></form>'.repeat(1_000) + html, html);
    assert.match((await failureOf(answer, 'page-drift')).message, /has 1002 forms that could be .* limit of 1000/);
    assert.equal(site.requests.length, 1);
  });

  it('sends nothing if two forms differ in a token that may not be a CSRF token', async (t) => {
    const html = pageOf('method=post action=/sent', '<input type=hidden name=token value=1><input name=q>');
    const { site, answer } = await visit(t, html.replace('value=1', 'value=2') + html, html);
    assert.match((await failureOf(answer, 'page-drift')).message, /has different forms for the tool "t"/);
    assert.equal(site.requests.length, 1);
  });

  const tip = (values: string): string => pageOf('method=post action=/sent', `${values}<input name=q required>`);

  const withHidden = (count: number): string =>
    current.replace('</form>', `${'<input type=hidden name=a value=b>'.repeat(count)}</form>`);

  it('sends a form with 15,000 hidden inputs of one name before the deadline', { tags: 'long' }, async (t) => {
    const { site, answer } = await visit(t, withHidden(15_000), withHidden(15_000));
    assert.equal((await answer).status, 200);
    assert.equal(site.requests.at(-1)?.body.length, 'csrf=new&q=x'.length + 15_000 * '&a=b'.length);
  });

  it('selects a form in time that grows linearly with its controls, wherever they are', { tags: 'long' }, async (t) => {
    const controls = Array.from(
      { length: 6_000 },
      (_, at) => `<input type=hidden name=h-${at} value=${at}><input type=radio name=r value=${at}>`,
    );
    const html = tip('<input type=hidden name=csrf value=1>').replace('toolname=t', 'toolname=t id=tip');
    const outside = controls.map((each) => each.replaceAll('<input', '<input form=tip')).join('');
    const deep = `${'<div>'.repeat(400)}${outside}${'</div>'.repeat(400)}`;
    const inside = html.replace('</form>', `${controls.join('')}</form>`);
    for (const [page, compiled] of [
      [html + deep, html],
      [html + deep, html + deep],
      [inside, inside],
      [injected('toolname=t', hidden).repeat(3_000) + html, html],
    ] as const) {
      await withinCpuSeconds(20, async () => {
        const { answer } = await visit(t, page, compiled);
        await answer.catch(() => undefined);
      });
    }
  });

  it('sends nothing if the form of the page has too many controls', async (t) => {
    const { site, answer } = await visit(t, withHidden(100_000));
    assert.match((await failureOf(answer, 'page-unavailable')).message, /it has too many controls or options\./);
    assert.equal(site.requests.length, 1);
  });

  it('sends nothing if forms with the controls of the manifest submit different values', async (t) => {
    const html = pageOf('method=post action=/sent', '<input type=hidden name=id value=1><input name=q required>');
    const { site, answer } = await visit(t, `${html.replace('name=q', 'name=q value=x')}\n${html}`, html);
    const { message } = await failureOf(answer, 'page-drift');
    assert.match(
      message,
      /\/page has different forms for the tool "t"\. They begin at line 1, column 32 and at line 2, column 32, .* Remove one/,
    );
    assert.equal(site.requests.length, 1);
    const same = await visit(t, html + html, html);
    assert.equal((await same.answer).status, 200);
  });

  it('sends nothing if the action has another parameter', async (t) => {
    const page = current.replace('action=/sent', 'action="/sent?do=edit"');
    const { site, answer } = await visit(t, page.replace('do=edit', 'do=edit&do=trash'), page);
    await failureOf(answer, 'page-drift');
    assert.equal(site.requests.length, 1);
  });

  const own = tip('<input type=hidden name=csrf value=old><input type=hidden name=to value=site>');
  const now = own.replace('value=old', 'value=new');

  const visitorForms: Readonly<Record<string, readonly [page: string, difference: RegExp]>> = {
    'another hidden value': [
      now.replace('value=site', 'value=mallory'),
      /has another value of the hidden control "to" \(it/,
    ],
    'an added hidden value': [
      now.replace('</form>', '<input type=hidden name=role value=admin></form>'),
      /has a further hidden control "role"/,
    ],
    'a visible control instead of a hidden one': [
      now.replace('type=hidden name=to value=site', 'name=to value=mallory'),
      /has the control "to" with the type text instead of hidden/,
    ],
    'a hidden value twice': [
      now.replace('<input name=q', '<input type=hidden name=to value=mallory><input name=q'),
      /has a further hidden control "to"/,
    ],
    'no hidden value': [now.replace('name=to', ''), /has no hidden control "to"/],
    'a hidden value that is disabled': [now.replace('name=to', 'name=to disabled'), /has no hidden control "to"/],
    'an added visible value': [
      now.replace('</form>', '<input name=amount value=1000></form>'),
      /has a further control "amount" with a value/,
    ],
    'an added choice': [
      now.replace('</form>', '<input type=checkbox name=amount value=1000 checked></form>'),
      /has a further control "amount" with a value/,
    ],
    'an added choice without a value': [
      now.replace('</form>', '<input type=checkbox name=amount value="" checked></form>'),
      /has a further control "amount" with a value/,
    ],
    'a dirname with a name that the manifest lacks': [
      now.replace('</form>', '<input name=x dirname=amount></form>'),
      /has a further control "amount" with a value/,
    ],
    'a control twice': [now.replace('<input name=q', '<input name=q value=y><input name=q'), /has 2 controls "q"/],
    'an added parameter in its URL': [
      now.replace('/sent', '"/sent?to=mallory"'),
      /is submitted by POST .* instead of POST /,
    ],
    'a path parameter in its URL': [
      now.replace('/sent', '"/sent;to=mallory"'),
      /is submitted by POST .* instead of POST /,
    ],
  };
  for (const [title, [page, difference]] of Object.entries(visitorForms)) {
    it(`sends nothing if the only form of the name has ${title}`, async (t) => {
      const { site, answer } = await visit(t, page, own);
      const { message } = await failureOf(answer, 'page-drift');
      assert.match(message, /^The page differs from the manifest: the form of \S+\/page /);
      assert.match(message, difference);
      assert.match(message, /\(it begins at line 1, column 32\)\. .*compile the manifest again/);
      assert.equal(site.requests.length, 1);
    });

    it(`sends the form of the manifest if the form before it has ${title}`, async (t) => {
      const { site, answer } = await visit(t, page + now, own);
      assert.equal((await answer).status, 200);
      assert.equal(site.requests.at(-1)?.body, 'csrf=new&to=site&q=x');
    });
  }

  for (const [name, random] of Object.entries({
    to: '0b1c8a86-7a9f-4b59-9d0c-5d0f0f6f6f01',
    account: '12345678901234567890',
    signature: 'b7f3a1c95e2d4860b7f3a1c95e2d4860',
    session: 'Xk29dkWq93kdLqPs1',
    license_key: 'a8f3k2m9x7q1w5z0b4c6',
  })) {
    it(`compares a hidden value of the name ${name} that looks random`, async (t) => {
      const html = tip(`<input type=hidden name=${name} value=${random}>`);
      const foreign = html.replace(random, random.replaceAll('1', '2'));
      const refused = await visit(t, foreign, html);
      await failureOf(refused.answer, 'page-drift');
      assert.equal(refused.site.requests.length, 1);
      const { site, answer } = await visit(t, foreign + html, html);
      assert.equal((await answer).status, 200);
      assert.equal(site.requests.at(-1)?.body, `${name}=${random}&q=x`);
    });
  }

  const rich = tip(
    '<input type=hidden name=annonce_id value=17><input readonly name=to value=site><input type=checkbox name=agree value=yes>' +
      '<input type=hidden name=row_1 value=1><button name=action value=save>Save</button><input name=text dirname=dir>',
  );
  for (const [title, changed, difference] of [
    ['a hidden value whose name contains that of a token', 'value=17,value=666', /another value of .* "annonce_id"/],
    [
      'an added hidden value whose name contains that of a token',
      '<input name=q,<input type=hidden name=prononce><input name=q',
      /further/,
    ],
    ['another value of a read-only control', 'value=site,value=mallory', /another value of the hidden control "to"/],
    ['another value of a checkbox', 'value=yes,value=mallory', /another value of the checkbox "agree"/],
    ['another value of the button', 'value=save,value=delete', /another value of the submit button "action"/],
    ['another name of the button', 'name=action,name=other', /has no submit button "action"/],
    ['an added hidden row', '<input name=q,<input type=hidden name=row_2 value=2><input name=q', /further .* "row_2"/],
    ['a dirname with the name of another control', 'name=q,name=q dirname=to', /another "dirname" at the control "q"/],
    [
      'a dirname on the button with the name of another control',
      '<button name=action value=save>Save</button>,<input type=submit name=action value=save dirname=to>',
      /another "dirname" at the control "action"/,
    ],
    ['a checkbox in place of a text', 'name=q,name=q type=checkbox value=mallory', /"q" with the type checkbox/],
    ['a text in place of a checkbox', 'type=checkbox name=agree value=yes,name=agree', /type text instead of checkbox/],
    [
      'a token twice',
      '<input name=q,<input type=hidden name=csrf value=1><input type=hidden name=csrf><input name=q',
      /further/,
    ],
    ['an added parameter like a token', 'action=/sent,action="/sent?annonce=5"', /is submitted by POST /],
  ] as const) {
    it(`sends nothing, or the form of the manifest, if a form has ${title}`, async (t) => {
      const [from = '', to = ''] = changed.split(/,(?=[^,]*$)/);
      const foreign = rich.replace(from, to);
      assert.notEqual(foreign, rich);
      const alone = await visit(t, foreign, rich, 200, { input: { q: 'x', agree: true } });
      assert.match((await failureOf(alone.answer, 'page-drift')).message, difference);
      assert.equal(alone.site.requests.length, 1);
      const { site, answer } = await visit(t, foreign + rich, rich, 200, { input: { q: 'x', agree: true } });
      assert.equal((await answer).status, 200);
      const sent = 'annonce_id=17&to=site&agree=yes&row_1=1&text=&dir=ltr&q=x&action=save';
      assert.deepEqual(
        [...new URLSearchParams(site.requests.at(-1)?.body)].sort(),
        [...new URLSearchParams(sent)].sort(),
      );
    });
  }

  const unchecked = '<input type=hidden name=agree value=0>';
  const checked = '<input type=checkbox name=agree value=1>';
  for (const [framework, known, other] of [
    ['that read the last value', unchecked + checked, checked + unchecked],
    ['that read the first value', checked + unchecked, unchecked + checked],
  ] as const) {
    it(`sends nothing, or the form of the manifest, if a hidden value changes its place beside a checkbox, for frameworks ${framework}`, async (t) => {
      const [html, foreign] = [tip(known), tip(other)];
      const options = { input: { q: 'x', agree: true } };
      const { message } = await failureOf((await visit(t, foreign, html, 200, options)).answer, 'page-drift');
      assert.match(message, /has the hidden control "agree" at another place/);
      const { site, answer } = await visit(t, foreign + html, html, 200, options);
      assert.equal((await answer).status, 200);
      assert.deepEqual(
        site.requests.at(-1)?.body,
        known === unchecked + checked ? 'agree=0&agree=1&q=x' : 'agree=1&agree=0&q=x',
      );
    });
  }

  it('rejects the attribute dirname in a row that the manifest lacks', async (t) => {
    const html = tip('<input type=hidden name=to value=site><input name=row-1-name>');
    const { answer } = await visit(t, html.replace('</form>', '<input name=row-2-name dirname=to></form>'), html);
    assert.match((await failureOf(answer, 'page-drift')).message, /another "dirname" at the control "row-2-name"/);
  });

  it('does not press an image instead of a button, because an image sends coordinates', async (t) => {
    const html = tip('<input type=hidden name=to value=site><button>Send</button>');
    const image = '<input type=image src=/a>';
    const { site, answer } = await visit(t, html.replace('<button>', `${image}<button>`), html);
    assert.equal((await answer).status, 200);
    assert.equal(site.requests.at(-1)?.body, 'to=site&q=x');
    await failureOf((await visit(t, html.replace('<button>Send</button>', image), html)).answer, 'page-drift');
    const own = html.replace('<button>Send</button>', image);
    const same = await visit(t, own, own);
    assert.equal((await same.answer).status, 200);
    assert.equal(same.site.requests.at(-1)?.body, 'to=site&x=0&y=0&q=x');
  });

  it('sends the form of the manifest if the label of its only button of a name has changed', async (t) => {
    const button = '<input type=submit name=save value="Save page">';
    const html = now.replace('</form>', `${button}</form>`);
    const { site, answer } = await visit(t, html.replace('Save page', 'Save changes'), html);
    assert.equal((await answer).status, 200);
    assert.match(site.requests.at(-1)?.body ?? '', /&save=Save\+changes$/);
    const two = html.replace(button, `${button}<input type=submit name=save value=Delete>`);
    const refused = await visit(t, two.replace('Save page', 'Publish'), two);
    assert.match((await failureOf(refused.answer, 'page-drift')).message, /another value of the submit button "save"/);
  });

  for (const [title, control, other] of [
    ['a read-only e-mail address', '<input type=email name=to value=site@x.example readonly>', 'mallory@x.example'],
    ['a read-only telephone number', '<input type=tel name=to value=+4930123 readonly>', '+1900666'],
    ['a read-only user name', '<input name=to autocomplete=username value=site readonly>', 'mallory'],
    ['a read-only address', '<textarea name=to autocomplete=street-address readonly>site</textarea>', 'mallory'],
    ['a hidden e-mail address', '<input type=hidden name=to autocomplete=email value=site>', 'mallory'],
  ] as const) {
    it(`sends nothing, or the form of the manifest, if a form has another value of ${title}`, async (t) => {
      const html = tip(control);
      const value = /(?:value=|readonly>)([^ <>]+)/.exec(control)?.[1] ?? '';
      const foreign = html.replace(value, other);
      const refused = await visit(t, foreign, html);
      assert.match((await failureOf(refused.answer, 'page-drift')).message, /another value of .* "to"/);
      assert.equal(refused.site.requests.length, 1);
      const { site, answer } = await visit(t, foreign + html, html);
      assert.equal((await answer).status, 200);
      assert.equal(new URLSearchParams(site.requests.at(-1)?.body).get('to'), value);
      const fresh = await visit(t, foreign, html, 200, { config: { fresh: ['to'] } });
      assert.equal((await fresh.answer).status, 200);
    });
  }

  it('sends no hidden or read-only value that is sensitive, because a manifest cannot contain its fingerprint', async (t) => {
    for (const control of [
      '<input type=hidden name=payee autocomplete=cc-number value=4242424242424242>',
      '<input name=payee autocomplete=cc-number value=4242424242424242 readonly>',
      '<input type=password name=payee value=4242424242424242 readonly>',
    ]) {
      const html = tip(control);
      for (const page of [html, html.replaceAll('42', '40')]) {
        const { site, answer } = await visit(t, page, html);
        assert.match((await failureOf(answer, 'page-drift')).message, /no fingerprint of the hidden control "payee"/);
        assert.equal(site.requests.length, 1);
      }
      const empty = html.replace('4242424242424242', '""');
      assert.equal((await (await visit(t, empty, empty)).answer).status, 200);
      const set = await visit(t, html, html, 200, { config: { values: { payee: secret } } });
      assert.equal((await set.answer).status, 200);
      assert.equal(set.site.requests.at(-1)?.body, `payee=${secret}&q=x`);
    }
  });

  it('sends nothing if the manifest has no fingerprint of a hidden value', async (t) => {
    const tool = toolOf(own);
    const controls = tool.form?.controls.map(({ fingerprint: _, ...control }) => control);
    const old = { ...tool, form: { ...tool.form, controls } } as typeof tool;
    const { site, answer } = await visit(t, now, own, 200, { tool: old });
    assert.match((await failureOf(answer, 'page-drift')).message, /no fingerprint of the hidden control "to"/);
    assert.equal(site.requests.length, 1);
  });

  it('does not send the ID of a session that is in the URL of a form', async (t) => {
    const { site, answer } = await visit(t, now.replace('/sent', '/sent;jsessionid=MALLORY'), own);
    assert.equal((await answer).status, 200);
    assert.equal(site.requests.at(-1)?.url, '/sent');
  });

  it('does not submit controls from outside of the form that the manifest lacks', async (t) => {
    const named = now.replace('toolname=t', 'toolname=t id=tip');
    for (const outside of [
      '<input form=tip name=amount value=1000>',
      '<input form=tip type=hidden name=to value=mallory>',
      '<input form=tip type=hidden name=csrf value=mallory>',
      '<button form=tip formaction=/stolen>',
      '<select form=tip name=q><option>y</select>',
    ]) {
      const { site, answer } = await visit(t, outside + named, own);
      assert.equal((await answer).status, 200, outside);
      const { url, body } = site.requests.at(-1) ?? {};
      assert.deepEqual([url, body], ['/sent', 'csrf=new&to=site&q=x']);
    }
  });

  it('submits controls from outside of the form that the manifest has, unless the page has more of them', async (t) => {
    const html = now.replace('toolname=t', 'toolname=t id=tip') + '<input form=tip type=hidden name=by value=site>';
    const { site, answer } = await visit(t, html, html);
    assert.equal((await answer).status, 200);
    assert.equal(site.requests.at(-1)?.body, 'csrf=new&to=site&q=x&by=site');
    const more = await visit(t, `<input form=tip type=hidden name=by value=mallory>${html}`, html);
    assert.match((await failureOf(more.answer, 'page-drift')).message, /has a further hidden control "by"/);
    assert.equal(more.site.requests.length, 1);
  });

  for (const [title, content] of [
    ['has the end tag of a form', 'Nice.</form>'],
    ['has a form, whose start tag the parser ignores', '<form></form>'],
    ['has two forms, the second of which takes the rest', '<form></form><form action=/search>'],
  ] as const) {
    it(`sends nothing if a visitor's text within the form ends it before its other controls: it ${title}`, async (t) => {
      const around = (text: string): string =>
        pageOf(
          'method=post action=/sent',
          `<input type=hidden name=csrf value=x><input name=q><div>${text}</div><input type=checkbox name=anonymous checked><button>Send</button>`,
        );
      const { site, answer } = await visit(t, around(content), around('Nice.'));
      const { message } = await failureOf(answer, 'page-drift');
      assert.match(message, /ends before its control "anonymous", as at the end tag of a form inside of it/);
      assert.deepEqual(
        site.requests.map(({ method }) => method),
        ['GET'],
      );
    });
  }

  it('sends a form that lacks a text control of the manifest, although another form of the page has it', async (t) => {
    const now = pageOf('method=post action=/sent', '<input type=hidden name=csrf value=x><input name=q>');
    const before = now.replace('</form>', '<input name=email></form>');
    const { site, answer } = await visit(t, `${now}<form action=/news><input name=email></form>`, before);
    assert.equal((await answer).status, 200);
    assert.equal(site.requests.at(-1)?.body, 'csrf=x&q=x');
  });

  it('sends nothing if the form of a visitor is not closed and contains the form of the manifest', async (t) => {
    const open = '<form toolname=t method=post action=/sent><input type=hidden name=to value=mallory>';
    const { site, answer } = await visit(t, open + now, own);
    await failureOf(answer, 'page-drift');
    assert.equal(site.requests.length, 1);
  });

  for (const [title, controls] of [
    ['a parameter of PHP', '<input type=hidden name="delete[csrf]" value=1>'],
    ['a parameter of Symfony', '<input type=hidden name="delete[_token]" value=1>'],
    ['a prefix', '<input type=hidden name=delete_nonce value=1>'],
    ['another word', '<input type=hidden name=publicXsrf value=1>'],
    ['a visible control', '<input name="delete[csrf]" value=1>'],
    ['two tokens of frameworks', '<input type=hidden name=_token value=1><input type=hidden name=sectok value=1>'],
  ] as const) {
    it(`sends nothing if the form of a visitor is not closed and adds a name like that of a token: ${title}`, async (t) => {
      const open = `<div><form toolname=t method=post action=/sent>${controls}</div>`;
      const { site, answer } = await visit(t, open + now, own);
      assert.match((await failureOf(answer, 'page-drift')).message, /has a further (?:hidden )?control "/);
      assert.equal(site.requests.length, 1);
    });
  }

  it('sends nothing if the URL of the form has an added parameter whose name contains the name of a token', async (t) => {
    const { site, answer } = await visit(t, now.replace('/sent', '"/sent?delete[csrf]=1"'), own);
    assert.match((await failureOf(answer, 'page-drift')).message, /is submitted by POST .* instead of POST /);
    assert.equal(site.requests.length, 1);
  });

  it('sends fresh values of controls whose names contain the name of a token, and rejects an added row of them', async (t) => {
    const html = pageOf(
      'method=post action="/sent?x_nonce=1"',
      '<input type=hidden name="form[_token]" value=1><input type=hidden name="row[1][csrf]" value=1><input name=q>',
    );
    const fresh = html.replaceAll('=1', '=2');
    const { site, answer } = await visit(t, fresh, html);
    assert.equal((await answer).status, 200);
    const { url, body = '' } = site.requests.at(-1) ?? {};
    assert.deepEqual([url, decodeURIComponent(body)], ['/sent?x_nonce=2', 'form[_token]=2&row[1][csrf]=2&q=x']);
    const row = '<input type=hidden name="row[2][csrf]" value=1></form>';
    await failureOf((await visit(t, fresh.replace('</form>', row), html)).answer, 'page-drift');
  });

  it('sends the form of the manifest with a fresh token, and with an added option, row and optional control', async (t) => {
    const html = tip(
      '<input type=hidden name=csrf value=old><input name=row-1-id value=1><input type=hidden name=to value=site>' +
        '<select name=s><option>1</select><input type=checkbox name=c value=1>',
    );
    const changed = html
      .replace('value=old', 'value=new')
      .replace('<option>1', '<option>1<option>2')
      .replace('</form>', '<input type=checkbox name=c value=2><input name=row-2-id value=2><input name=more></form>')
      .replace('</form>', '<textarea name=text></textarea><input type=hidden name=_wpnonce value=9876543210></form>');
    const { site, answer } = await visit(t, changed, html);
    assert.equal((await answer).status, 200);
    assert.equal(site.requests.at(-1)?.body, 'csrf=new&row-1-id=1&to=site&s=1&q=x&row-2-id=2&_wpnonce=9876543210');
  });

  it('does not send an added control without a value', async (t) => {
    const page = now.replace('<input name=q', '<input name=delete><textarea name=note></textarea><input name=q');
    const { site, answer } = await visit(t, page, own);
    assert.equal((await answer).status, 200);
    assert.equal(site.requests.at(-1)?.body, 'csrf=new&to=site&q=x');
  });

  it('accepts new IDs of DokuWiki, Django and WordPress only beside another control of the application', async (t) => {
    const dokuWiki = '<input type=hidden name=date value=1><input type=hidden name=changecheck value=a>';
    const django = '<input type=hidden name=a-TOTAL_FORMS value=1><input type=hidden name=a-0-id value=1>';
    const wordPress = '<input type=hidden name=_wpnonce value=a><input type=hidden name=post_ID value=1>';
    for (const controls of [dokuWiki, django, wordPress]) {
      const { answer } = await visit(t, tip(controls.replaceAll('value=1', 'value=2')), tip(controls));
      assert.equal((await answer).status, 200);
    }
    for (const name of ['date', 'a-0-id', 'post_ID']) {
      const controls = `<input type=hidden name=${name} value=1>`;
      const { answer } = await visit(t, tip(controls.replaceAll('value=1', 'value=2')), tip(controls));
      await failureOf(answer, 'page-drift');
    }
  });

  it('accepts a new lock_version of Rails, and the last note of Redmine beside it, but no similar value', async (t) => {
    const rails = '<input type=hidden name="issue[lock_version]" value=1>';
    const redmine = `${rails}<input type=hidden name=last_journal_id value=1>`;
    for (const controls of [rails, redmine]) {
      const { answer } = await visit(t, tip(controls.replaceAll('value=1', 'value=2')), tip(controls));
      assert.equal((await answer).status, 200);
    }
    for (const name of ['last_journal_id', 'issue[version]', 'lock_version[issue]', 'issue[lock_version][]']) {
      const controls = `<input type=hidden name="${name}" value=1>`;
      const { answer } = await visit(t, tip(controls.replaceAll('value=1', 'value=2')), tip(controls));
      await failureOf(answer, 'page-drift');
    }
  });

  it('sends the password of the operator only as a password of the form of the manifest', async (t) => {
    const login = pageOf(
      'method=post action=/sent',
      '<input type=hidden name=csrf value=old><input name=q><input type=password name=p>',
    );
    const config = { values: { p: secret } };
    for (const foreign of [
      login.replace('action=/sent', 'action=/comments'),
      login.replace('action=/sent', 'action="/sent?public=1"'),
      login.replace('type=password', 'type=text'),
      login.replace('type=password', 'type=hidden'),
      login.replace('</form>', '<input type=hidden name=public value=1></form>'),
    ]) {
      const alone = await visit(t, foreign, login, 200, { config });
      await failureOf(alone.answer, 'page-drift');
      assert.equal(alone.site.requests.length, 1);
      const { site, answer } = await visit(t, foreign + login, login, 200, { config });
      assert.equal((await answer).status, 200);
      assert.deepEqual([site.requests.at(-1)?.url, site.requests.at(-1)?.body], ['/sent', `csrf=old&q=x&p=${secret}`]);
    }
  });

  it('does not compare the hidden values and parameters that the configuration sets or names as fresh', async (t) => {
    const page = now.replace('value=site', 'value=other');
    const fresh = await visit(t, page, own, 200, { config: { fresh: ['to'] } });
    assert.equal((await fresh.answer).status, 200);
    assert.equal(fresh.site.requests.at(-1)?.body, 'csrf=new&to=other&q=x');
    const set = await visit(t, page, own, 200, { config: { values: { to: 'set' } } });
    assert.equal((await set.answer).status, 200);
    assert.equal(set.site.requests.at(-1)?.body, 'csrf=new&to=set&q=x');
    const url = await visit(t, now.replace('/sent', '"/sent?stamp=1"'), own, 200, { config: { fresh: ['stamp'] } });
    assert.equal((await url.answer).status, 200);
  });

  it('hides the tokens of the page in the strings that an error quotes', async (t) => {
    const token = 'tk-9f8e7d6c5b4a39281706';
    const hidden = `<input type=hidden name=other value=${token}>`;
    const meta = '<meta name=csrf-token content=Zm9vYmFy42secret>';
    for (const [status, content] of [
      [200, `${meta}<form action=/else>${hidden}</form><p>Token ${token} or Zm9vYmFy42secret`],
      [404, `${hidden}<p>No page for ${token.toUpperCase()}`],
      [500, `<table>${hidden}<p>${token}`],
    ] as const) {
      const { answer } = await visit(t, content, html, status);
      const error = await answer.then(
        () => assert.fail('it was sent'),
        (reason: Error) => reason,
      );
      assert.match(error.message, /The page says: .*\[hidden\]/);
      assert.doesNotMatch(error.message, /9f8e7d6c|Zm9vYmFy42/i);
    }
  });
});
