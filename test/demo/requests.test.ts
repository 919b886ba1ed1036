import assert from 'node:assert/strict';
import { test } from 'vitest';
import { form, openSite, place } from './site.js';

const problemsIn = async (response: Response): Promise<readonly string[]> =>
  Object.keys(((await response.json()) as { problems: object }).problems);

test('the newsletter responds to scripts with JSON and to people with a page', async () => {
  const { store, visitor } = openSite();
  const ada = visitor();
  const values = form({ email: 'Ada@example.com', frequency: 'weekly' });
  const answer = await ada.post('/newsletter.html', values, { accept: 'application/json' });
  assert.deepEqual(await answer.json(), {
    ...{ email: 'Ada@example.com', frequency: 'weekly' },
    message: 'We write every week. An address that someone else has put on the list stays as it was.',
  });
  const page = await ada.post('/newsletter.html', form({ email: 'ada@example.com', frequency: 'events' }));
  assert.equal(place(page), '/thanks.html?newsletter=events');
  assert.deepEqual(store.all('SELECT email, frequency FROM subscribers'), [
    { email: 'ada@example.com', frequency: 'events' },
  ]);
  const wrong = await visitor().post('/newsletter.html', form({ email: 'ada', frequency: 'daily' }));
  assert.equal(wrong.status, 422);
  assert.match(await wrong.text(), /value="ada"/);
  assert.equal(place(await visitor().get('/newsletter.html')), '/restaurant.html#newsletter');
});

test('a visitor can neither change the subscription of another address nor learn whether it exists', async () => {
  const { store, visitor } = openSite();
  const answers: unknown[] = [];
  for (const email of ['ada@example.com', 'new@example.com']) {
    await visitor().post('/newsletter.html', form({ email: 'ada@example.com', frequency: 'weekly' }));
    const values = form({ email, frequency: 'events' });
    const answer = await visitor().post('/newsletter.html', values, { accept: 'application/json' });
    answers.push({ ...((await answer.json()) as object), email: '' });
  }
  assert.deepEqual(answers[0], answers[1]);
  assert.deepEqual(store.all('SELECT email, frequency FROM subscribers'), [
    { email: 'ada@example.com', frequency: 'weekly' },
    { email: 'new@example.com', frequency: 'events' },
  ]);
});

test('a dish that is sold out can be rated, also after a rejected form', async () => {
  const visitor = openSite().visitor();
  await visitor.post('/admin.html', form({ task: 'sold-out', itm: 'lemon-sorbet', st: 'out' }));
  const pages = [
    await visitor.get('/components.html'),
    await visitor.post('/ratings.html', form({ dish: 'lemon-sorbet', stars: '9' })),
  ];
  for (const page of pages) {
    const [option = ''] = /<option value="lemon-sorbet"[^]*?<\/option>/.exec(await page.text()) ?? [];
    assert.match(option, /Lemon sorbet/);
    assert.doesNotMatch(option, /disabled|sold out/);
  }
});

test('vouchers and events are saved, or rejected with errors', async () => {
  const visitor = openSite().visitor();
  const voucher = { recipient: 'Eva', amount: '75', design: 'plain', message: '' };
  assert.equal((await visitor.post('/api/vouchers', form(voucher))).status, 201);
  const wrong = await visitor.post('/api/vouchers', form({ ...voucher, amount: '77', design: 'gold' }));
  assert.deepEqual(await problemsIn(wrong), ['amount', 'design']);
  const event = {
    kind: 'wedding',
    date: '2026-06-10',
    guests: '30',
    room: 'terrace',
    wine: 'yes',
    email: 'a@b.example',
  };
  assert.equal((await visitor.post('/api/events', form(event))).status, 201);
  const early = await visitor.post('/api/events', form({ ...event, date: '2026-06-08', guests: '12' }));
  assert.deepEqual(await problemsIn(early), ['date', 'guests']);
});

test('a visitor rates a dish once, and the average includes all visitors', async () => {
  const { visitor } = openSite();
  const [ada, ben] = [visitor(), visitor()];
  await ada.post('/ratings.html', form({ dish: 'olive-oil-cake', stars: '1', comment: '' }));
  await ada.post('/ratings.html', form({ dish: 'olive-oil-cake', stars: '5', comment: '' }));
  const rated = await ben.post('/ratings.html', form({ dish: 'olive-oil-cake', stars: '2', comment: '' }));
  assert.match(await (await ben.get(place(rated))).text(), /3\.5 of 5 stars from 2 guests/);
  assert.equal((await ben.post('/ratings.html', form({ dish: 'olive-oil-cake', stars: '6' }))).status, 422);
});

test('the sommelier responds to every visitor', async () => {
  const { visitor } = openSite();
  const [ada, ben] = [visitor(), visitor()];
  const asked = await ada.post('/sommelier.html', form({ style: 'red', budget: '60', question: '' }));
  assert.match(await (await ada.get(place(asked))).text(), /Chianti Rufina/);
  assert.equal((await ben.get(place(asked))).status, 404);
  assert.equal((await ada.post('/sommelier.html', form({ style: 'green', budget: '1' }))).status, 422);
});
