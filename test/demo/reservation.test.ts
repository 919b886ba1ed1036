import assert from 'node:assert/strict';
import { test } from 'vitest';
import { form, jsonLdOf, openSite, place, visit, type Visitor } from './site.js';

const book = (visitor: Visitor, changes: Readonly<Record<string, string>> = {}): Promise<Response> =>
  visitor.post('/reservation.html', form({ ...visit, ...changes }));

const count = ({ store }: ReturnType<typeof openSite>): unknown =>
  store.one('SELECT COUNT(*) AS n FROM bookings')?.['n'];

test('a booking has a page with JSON-LD that only its visitor can open and reload', async () => {
  const site = openSite();
  const visitor = site.visitor();
  const booked = await book(visitor, { notes: 'Late' });
  assert.equal(booked.status, 303);
  assert.match(place(booked), /^\/thanks\.html\?booking=LUME-[A-Z2-9]{6}$/);
  for (let reload = 0; reload < 2; reload += 1) {
    const page = await visitor.get(place(booked));
    const data = jsonLdOf(await page.text()) as Record<string, unknown>;
    assert.equal(page.status, 200);
    assert.deepEqual(
      [data['@type'], data['startTime'], data['partySize'], data['reservationStatus']],
      ['FoodEstablishmentReservation', '2026-06-10T19:30', 4, 'https://schema.org/ReservationConfirmed'],
    );
  }
  assert.equal((await site.visitor().get(place(booked))).status, 404);
  assert.ok((await (await visitor.get('/reservation.html')).text()).includes(place(booked)));
});

test('the cookie of a visitor is hidden from scripts and other sites', async () => {
  const cookie = (await openSite().visitor().get('/')).headers.get('set-cookie') ?? '';
  assert.match(cookie, /HttpOnly/);
  assert.match(cookie, /SameSite=Lax/);
});

test('a form that is submitted twice books once', async () => {
  const site = openSite();
  const visitor = site.visitor();
  const [first, second] = [await book(visitor), await book(visitor)];
  assert.equal(place(first), place(second));
  assert.equal(count(site), 1);
  await book(site.visitor(), { area: 'terrace' });
  assert.equal(count(site), 2);
});

test('a second booking for the same time is rejected with the code of the first', async () => {
  const site = openSite();
  const visitor = site.visitor();
  const code = place(await book(visitor)).replace(/.*=/, '');
  for (const changes of [{ guests: '6' }, { area: 'terrace' }, { name: 'Ben' }, { needs: 'dog' }, { notes: 'Late' }]) {
    const response = await book(visitor, changes);
    const html = await response.text();
    assert.equal(response.status, 422);
    assert.ok(html.includes(`You have a booking for 4 guests at 19:30 that day: ${code}.`));
  }
  assert.equal(count(site), 1);
  assert.equal(place(await book(visitor, { area: 'any' })), `/thanks.html?booking=${code}`);
  const other = await (await book(site.visitor(), { guests: '6' })).text();
  assert.ok(!other.includes(code));
  assert.equal((await book(visitor, { time: '20:00' })).status, 303);
});

/** Ten past eight on a Saturday evening, in Italy. */
const evening = new Date('2026-06-06T18:10Z');

test('a past time of today has no tables', async () => {
  const site = openSite(undefined, evening);
  const today = '2026-06-06';
  for (const [time, status] of [
    ['17:30', 422],
    ['20:00', 422],
    ['20:30', 303],
  ] as const)
    assert.equal((await book(site.visitor(), { date: today, time })).status, status, time);
  assert.match(await (await book(site.visitor(), { date: today, time: '18:00' })).text(), /This time is over today/);
  const free = await (await site.visitor().get(`/availability.html?date=${today}&guests=2`)).text();
  const { itemListElement } = jsonLdOf(free) as { itemListElement: Record<string, string>[] };
  assert.deepEqual(
    itemListElement.map(({ name }) => name),
    [`${today}T20:30`, `${today}T21:00`, `${today}T21:30`],
  );
  const full = await (await book(site.visitor(), { date: today, time: '20:30', guests: '6' })).text();
  assert.match(full, /There are tables at 20:30, 21:00, 21:30\./);
});

test('the current day is the one in the time zone of the restaurant', async () => {
  const midnight = openSite(undefined, new Date('2026-06-05T22:30Z'));
  assert.match(await (await midnight.visitor().get('/reservation.html')).text(), /min="2026-06-06"/);
  const late = openSite(undefined, new Date('2026-06-06T21:00Z')).visitor();
  assert.match(await (await late.get('/availability.html?date=2026-06-06&guests=2')).text(), /No table is left/);
});

test('a booking for a full time is rejected with other times', async () => {
  const site = openSite();
  await book(site.visitor());
  const response = await book(site.visitor(), { guests: '3' });
  const html = await response.text();
  assert.equal(response.status, 422);
  assert.match(html, /No table for 3 guests is free there at 19:30\. There are tables at 17:30/);
  assert.equal(count(site), 1);
  assert.equal((await book(site.visitor(), { guests: '2' })).status, 303);
  assert.equal((await book(site.visitor(), { guests: '1' })).status, 422);
  assert.equal((await book(site.visitor(), { guests: '1', area: 'any' })).status, 303);
});

const wrong: readonly (readonly [string, Record<string, string>, string])[] = [
  ['a Monday', { date: '2026-06-08' }, 'We are closed on Mondays'],
  ['a past day', { date: '2026-06-05' }, 'This day is over'],
  ['a day that does not exist', { date: '2026-06-31' }, 'Enter a date'],
  ['a day too far away', { date: '2027-06-09' }, 'We plan half a year ahead'],
  ['forty guests', { guests: '40' }, 'Enter a number of guests from 1 to 12'],
  ['half a guest', { guests: '1.5' }, 'Enter a number of guests from 1 to 12'],
  ['a time between the slots', { time: '19:10' }, 'every half hour'],
  ['an unknown part of the house', { area: 'roof' }, 'Choose a part of the restaurant'],
  ['no name', { name: ' ' }, 'Enter your name'],
  ['an invalid address', { email: 'ada' }, 'Enter an e-mail address'],
];

for (const [what, changes, sentence] of wrong) {
  test(`a booking with ${what} returns the form with the error and the submitted values`, async () => {
    const site = openSite();
    const response = await book(site.visitor(), { notes: 'By the <window>', ...changes });
    const html = await response.text();
    assert.equal(response.status, 422);
    assert.ok(html.includes(sentence));
    assert.match(html, /<div class="problems" role="alert"/);
    assert.match(html, /aria-invalid="true"/);
    assert.ok(html.includes('By the &lt;window&gt;</textarea>'));
    assert.equal(count(site), 0);
  });
}

test('the free times of a day exclude full times', async () => {
  const site = openSite();
  await book(site.visitor());
  const response = await site.visitor().get('/availability.html?date=2026-06-10&guests=4');
  const { itemListElement } = jsonLdOf(await response.text()) as { itemListElement: Record<string, string>[] };
  const half = itemListElement.find(({ name }) => name === '2026-06-10T19:30');
  assert.equal(itemListElement.length, 9);
  assert.equal(half?.['description'], 'dining-room, terrace');
  assert.equal((await site.visitor().get('/availability.html?date=2026-06-08&guests=4')).status, 422);
  assert.equal((await site.visitor().get('/availability.html')).status, 422);
});

test('bookings exist after a restart', async () => {
  const first = openSite();
  await book(first.visitor());
  const again = openSite(first.file);
  assert.equal(count(again), 1);
  const office = await (await again.visitor().get('/admin.html')).text();
  assert.ok(office.includes('Ada'));
});
