import assert from 'node:assert/strict';
import { test } from 'vitest';
import { form, jsonLdOf, openSite, place, visit, type Visitor } from './site.js';

const dishesIn = (html: string): readonly string[] =>
  [...html.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, name = '']) => name);

const search = async (query: string): Promise<readonly string[]> =>
  dishesIn(await (await openSite().visitor().get(`/menu.html?${query}`)).text());

test('a search of the menu returns a page with the matching dishes', async () => {
  assert.equal((await search('')).length, 12);
  assert.deepEqual(await search('diet=vegan&diet=gluten-free&price=10'), ['Tomatoes and peaches', 'Lemon sorbet']);
  assert.deepEqual(await search('q=SAGE'), ['Pumpkin gnocchi']);
  assert.deepEqual(await search('course=desserts&price=8'), ['Lemon sorbet', 'Olive oil cake']);
});

test('SQL wildcards are literal text in a search', async () => {
  for (const q of ['%', '_', "' OR 1=1 --", '\\', "'; DROP TABLE dishes; --"])
    assert.deepEqual(await search(`q=${encodeURIComponent(q)}`), [], q);
});

test('a search page shows the query and contains the dishes as JSON-LD', async () => {
  const html = await (await openSite().visitor().get('/menu.html?diet=vegan&q=a"b')).text();
  assert.match(html, /value="vegan" checked=""/);
  assert.match(html, /value="a&quot;b"/);
  const menu = await (await openSite().visitor().get('/menu.html?q=sorbet')).text();
  const { hasMenuItem } = jsonLdOf(menu) as { hasMenuItem: { name: string; offers: { price: number } }[] };
  assert.deepEqual(
    hasMenuItem.map(({ name, offers }) => [name, offers.price]),
    [['Lemon sorbet', 6]],
  );
});

test('a course lists its dishes without those that are sold out', async () => {
  const visitor = openSite().visitor();
  const namesOf = async (course: string) =>
    ((await (await visitor.get(`/api/dishes?course=${course}`)).json()) as { id: string }[]).map(({ id }) => id);
  assert.deepEqual(await namesOf('desserts'), ['hazelnut-tart', 'lemon-sorbet', 'olive-oil-cake']);
  const done = await visitor.post('/admin.html', form({ task: 'sold-out', itm: 'lemon-sorbet', st: 'out' }));
  assert.equal(done.status, 303);
  assert.deepEqual(await namesOf('desserts'), ['hazelnut-tart', 'olive-oil-cake']);
  assert.deepEqual(await namesOf('constructor'), []);
});

const order = {
  course: 'mains',
  dish: 'pumpkin-gnocchi',
  quantity: '2',
  method: 'pickup',
  phone: '12345678',
  once: 'a',
};
const { date, time, name } = visit;
const card = new File([new Uint8Array([1, 2, 0, 255])], 'card "ü".png', { type: 'image/png' });

function send(visitor: Visitor, changes: Readonly<Record<string, string>> = {}, file?: File): Promise<Response> {
  const data = new FormData();
  for (const [key, value] of Object.entries({ ...order, date, time, name, ...changes })) data.append(key, value);
  if (file) data.append('allergy-card', file);
  return visitor.post('/order.html', data);
}

test('only the visitor can download the file of an order', async () => {
  const site = openSite();
  const visitor = site.visitor();
  const ordered = await send(visitor, { method: 'delivery', address: '1 Quay' }, card);
  const page = await (await visitor.get(place(ordered))).text();
  const path = /\/api\/cards\/[A-Z0-9-]+/.exec(page)?.[0] ?? '';
  const file = await visitor.get(path);
  assert.match(page, /You pay €35/);
  assert.deepEqual([...new Uint8Array(await file.arrayBuffer())], [1, 2, 0, 255]);
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment/);
  assert.equal((await site.visitor().get(path)).status, 404);
});

test('a page that is submitted twice orders once', async () => {
  const site = openSite();
  const visitor = site.visitor();
  const places = [place(await send(visitor)), place(await send(visitor)), place(await send(visitor, { once: 'b' }))];
  assert.equal(new Set(places).size, 2);
  const other = await send(site.visitor());
  assert.equal(other.status, 303);
  assert.ok(!places.includes(place(other)));
});

test('a page that is submitted again with other values is rejected, and its response has a new token', async () => {
  const site = openSite();
  const visitor = site.visitor();
  const code = place(await send(visitor, {}, card)).replace(/.*=/, '');
  assert.equal(place(await send(visitor, {}, card)), `/thanks.html?order=${code}`);
  const otherCard = new File([new Uint8Array([9])], card.name, { type: card.type });
  const others = [{ quantity: '3' }, { extras: 'bread' }, { note: 'Hot' }] as const;
  for (const response of [
    ...(await Promise.all(others.map((changes) => send(visitor, changes, card)))),
    await send(visitor),
    await send(visitor, {}, otherCard),
  ]) {
    const html = await response.text();
    assert.equal(response.status, 422);
    assert.ok(html.includes(`has sent your order ${code} already`));
    const once = /name="once" value="(.*?)"/.exec(html)?.[1] ?? '';
    assert.match(once, /^[0-9a-f-]{36}$/);
  }
  assert.equal(site.store.one('SELECT COUNT(*) AS n FROM orders')?.['n'], 1);
});

test('a rejected form has the same token, so that a resubmission orders once', async () => {
  const html = await (await send(openSite().visitor(), { quantity: '21', once: 'mine' })).text();
  assert.match(html, /name="once" value="mine"/);
});

test('a long file name is truncated between characters before its extension', async () => {
  const visitor = openSite().visitor();
  const file = new File(['x'], `${'a'.repeat(195)}${'👩‍👩‍👧'.repeat(9)}.png`, { type: 'image/png' });
  const page = await (await visitor.get(place(await send(visitor, {}, file)))).text();
  const path = /\/api\/cards\/[A-Z0-9-]+/.exec(page)?.[0] ?? '';
  const header = (await visitor.get(path)).headers.get('content-disposition') ?? '';
  assert.equal(decodeURIComponent(header.replace(/.*''/, '')), `${'a'.repeat(195)}.png`);
});

test('an order for a past time of today is rejected', async () => {
  const visitor = openSite(undefined, new Date('2026-06-06T18:10Z')).visitor();
  const today = { date: '2026-06-06' };
  assert.equal((await send(visitor, { ...today, time: '20:00' })).status, 422);
  assert.equal((await send(visitor, { ...today, time: '20:15' })).status, 303);
});

const refused: readonly (readonly [string, Record<string, string>, File?])[] = [
  ['an unknown dish', { dish: 'soup' }],
  ['a dish of another course', { dish: 'lemon-sorbet' }],
  ['delivery without an address', { method: 'delivery' }],
  ['too many portions', { quantity: '21' }],
  ['a Monday', { date: '2026-06-08' }],
  ['a file that is a page', {}, new File(['<script>'], 'a.html', { type: 'text/html' })],
];

for (const [what, changes, file] of refused) {
  test(`an order is rejected and not saved: ${what}`, async () => {
    const site = openSite();
    const response = await send(site.visitor(), changes, file);
    assert.equal(response.status, 422);
    assert.match(await response.text(), /There is a problem/);
    assert.equal(site.store.one('SELECT COUNT(*) AS n FROM orders')?.['n'], 0);
  });
}
