import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import { withinCpuSeconds } from '../support/cpu-time.js';
import { form, openSite, place, visit } from './site.js';

const markup = '<script>alert(1)</script>';

test('markup in a name is text on every page that shows it', async () => {
  const visitor = openSite().visitor();
  const booked = await visitor.post('/reservation.html', form({ ...visit, name: `"${markup}'`, occasion: markup }));
  for (const path of [
    place(booked),
    '/reservation.html',
    '/admin.html',
    `/admin.html?done=${encodeURIComponent(markup)}`,
  ]) {
    const html = await (await visitor.get(path)).text();
    assert.ok(!html.includes(markup), path);
  }
  assert.match(await (await visitor.get('/admin.html')).text(), /&lt;script&gt;alert/);
});

test('a body that is not a form is rejected', async () => {
  const visitor = openSite().visitor();
  const json = await visitor.post('/reservation.html', '{}', { 'content-type': 'application/json' });
  assert.equal(json.status, 415);
  const broken = await visitor.post('/order.html', 'x', { 'content-type': 'multipart/form-data; boundary=a' });
  assert.equal(broken.status, 400);
});

test('a body that is too large is rejected, with and without Content-Length', async () => {
  const visitor = openSite().visitor();
  const large = `notes=${'x'.repeat(100_000)}`;
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  assert.equal((await visitor.post('/reservation.html', large, type)).status, 413);
  const stated = await visitor.post('/reservation.html', large, { ...type, 'content-length': '100006' });
  assert.equal(stated.status, 413);
});

test('a body with very many fields is rejected immediately', async () => {
  const visitor = openSite().visitor();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const parts = new FormData();
  for (let part = 0; part < 201; part += 1) parts.append('a', '');
  await withinCpuSeconds(2, async () => {
    assert.equal((await visitor.post('/reservation.html', 'a&'.repeat(31_000), type)).status, 400);
    assert.equal((await visitor.post('/order.html', 'a&'.repeat(1_000_000), type)).status, 413);
    assert.equal((await visitor.post('/order.html', parts)).status, 400);
    assert.equal((await visitor.get(`/menu.html?${'a&'.repeat(201)}`)).status, 400);
    assert.equal((await visitor.get(`/menu.html?${'a&'.repeat(200)}`)).status, 200);
  });
});

const otherSites: readonly Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://example.com' },
  { origin: 'http://localhost:3000' },
  { origin: 'null' },
];

test('a form from another site is rejected and sets no cookie', async () => {
  const site = openSite();
  for (const headers of otherSites) {
    for (const path of ['/reservation.html', '/admin.html', '/newsletter.html', '/api/vouchers']) {
      const response = await site.visitor().post(path, form(visit), headers);
      assert.equal(response.status, 403, `${path} ${JSON.stringify(headers)}`);
      assert.equal(response.headers.get('set-cookie'), null);
    }
  }
  assert.equal(site.store.one('SELECT COUNT(*) AS n FROM bookings')?.['n'], 0);
  const page = await site.visitor().post('/reservation.html', form(visit), { 'sec-fetch-site': 'cross-site' });
  assert.match(await page.text(), /This was sent from another site/);
});

test('the site accepts forms from its own pages and links from other sites', async () => {
  const site = openSite();
  const wish = form({ ...visit, area: 'any' });
  for (const headers of [
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://localhost' },
  ])
    assert.equal((await site.visitor().post('/reservation.html', wish, headers)).status, 303);
  const linked = await site.visitor().get('/order.html', { 'sec-fetch-site': 'cross-site' });
  assert.equal(linked.status, 200);
});

test('missing pages have the status 404', async () => {
  const visitor = openSite().visitor();
  const paths = [
    '/nothing.html',
    '/thanks.html',
    '/thanks.html?booking=LUME-AAAAAA',
    '/thanks.html?constructor=1',
    '/api/x',
  ];
  for (const path of [...paths, '/..%2fpackage.json', '/server%2fapp.html'])
    assert.equal((await visitor.get(path)).status, 404, path);
  assert.equal((await visitor.post('/menu.html', form({}))).status, 405);
});

test('the page for missing pages has one link to the start page', async () => {
  const html = await (await openSite().visitor().get('/nothing.html')).text();
  assert.deepEqual(html.match(/<a class="button[^>]*>[^<]*/g), [
    '<a class="button quiet" href="/restaurant.html">Back to the start',
  ]);
});

test('the office rejects unknown values with an error', async () => {
  const visitor = openSite().visitor();
  const refused = [
    { task: 'cancel', bk_ref: "' OR 1=1 --" },
    { task: 'move', bk_ref: 'LUME-AAAAAA', new_d: '2026-06-10', new_t: '18:00' },
    { task: 'sold-out', itm: 'nothing', st: 'out' },
    { task: 'constructor' },
    {},
  ];
  for (const values of refused) {
    const response = await visitor.post('/admin.html', form(values));
    assert.equal(response.status, 422, JSON.stringify(values));
    assert.match(await response.text(), /There is a problem/);
  }
});

test('an unknown task of the office does not change its forms', async () => {
  const page = await openSite()
    .visitor()
    .post('/admin.html', form({ task: 'burn' }));
  const tasks = [...(await page.text()).matchAll(/name="task" value="(.*?)"/g)].map(([, task]) => task);
  assert.deepEqual(tasks, ['cancel', 'move', 'sold-out']);
});

test('the office does not move a booking to a time at which the guest has another booking', async () => {
  const visitor = openSite().visitor();
  const code = place(await visitor.post('/reservation.html', form(visit))).replace(/.*=/, '');
  await visitor.post('/reservation.html', form({ ...visit, time: '18:00' }));
  const move = { task: 'move', bk_ref: code, new_d: visit.date };
  assert.equal((await visitor.post('/admin.html', form({ ...move, new_t: '18:00' }))).status, 422);
  assert.equal((await visitor.post('/admin.html', form({ ...move, new_t: visit.time }))).status, 303);
});

test('the guest sees bookings that the office moves or cancels', async () => {
  const site = openSite();
  const visitor = site.visitor();
  const booked = place(await visitor.post('/reservation.html', form(visit)));
  const code = booked.replace(/.*=/, '');
  const moved = await visitor.post(
    '/admin.html',
    form({ task: 'move', bk_ref: code, new_d: '2026-06-11', new_t: '18:00' }),
  );
  assert.equal(moved.status, 303);
  assert.match(await (await visitor.get(booked)).text(), /2026-06-11T18:00/);
  await visitor.post('/admin.html', form({ task: 'cancel', bk_ref: code }));
  assert.match(await (await visitor.get(booked)).text(), /ReservationCancelled/);
  assert.equal((await visitor.post('/admin.html', form({ task: 'cancel', bk_ref: code }))).status, 422);
});

test('an error page of the server does not contain the cause', async ({ onTestFinished }) => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => said.mockRestore());
  const { store, visitor } = openSite();
  store.run('DROP TABLE requests');
  const voucher = form({ recipient: 'Eva', amount: '50', design: 'plain', message: '' });
  const response = await visitor().post('/api/vouchers', voucher);
  assert.equal(response.status, 500);
  assert.deepEqual(await response.json(), {
    error: 'Something broke on our side. Nothing was kept. Please try again.',
  });
  assert.equal(said.mock.calls.length, 1);
});
