import type { Context, Hono } from 'hono';
import { html } from './markup.js';
import { isEmail, onlyProblems } from './bookings.js';
import type { Store } from './database.js';
import { byId, byTag, setContent, setText, type Page } from './document.js';
import { allDishes } from './menu.js';
import { dishOptions } from './order.js';
import { refill, showProblems, type Problems } from './refill.js';
import { readForm, type SentForm } from './sent-form.js';
import { openPage, sendAnswer, sendPage, todayOf, type Env, type Site } from './site.js';
import { newCode } from './visitor.js';
import { problemOfDay } from './visits.js';

interface Kind {
  readonly name: string;
  readonly prefix: string;
  readonly texts: readonly string[];
  readonly problems: (form: SentForm, today: string) => Problems;
}

const isBetween = (text: string, first: number, last: number): boolean =>
  /^\d{1,6}$/.test(text) && Number(text) >= first && Number(text) <= last;

const voucher: Kind = {
  name: 'voucher',
  prefix: 'GIFT',
  texts: ['recipient', 'amount', 'design', 'message'],
  problems: ({ text }) =>
    onlyProblems({
      recipient: (text('recipient') === '' || text('recipient').length > 80) && 'Enter who the voucher is for.',
      amount:
        !(isBetween(text('amount'), 20, 500) && Number(text('amount')) % 5 === 0) &&
        'Enter an amount from 20 to 500 euros, in steps of 5.',
      design: !['lantern', 'harbour', 'plain'].includes(text('design')) && 'Choose a design.',
      message: text('message').length > 200 && 'Write at most 200 characters.',
    }),
};

const event: Kind = {
  name: 'event',
  prefix: 'EVENT',
  texts: ['kind', 'date', 'guests', 'room', 'wine', 'email', 'wishes'],
  problems: ({ text }, today) =>
    onlyProblems({
      kind: !['wedding', 'company', 'birthday', 'other'].includes(text('kind')) && 'Choose the kind of event.',
      date: problemOfDay(text('date'), today),
      guests: !isBetween(text('guests'), 13, 60) && 'Enter a number of guests from 13 to 60.',
      room: !['terrace', 'cellar', 'whole-house'].includes(text('room')) && 'Choose a room.',
      email: !isEmail(text('email')) && 'Enter an e-mail address, like name@example.com.',
      wishes: text('wishes').length > 500 && 'Write at most 500 characters.',
    }),
};

const styles: Readonly<Record<string, string>> = {
  sparkling: 'Franciacorta brut, for starters and long evenings',
  white: 'Vermentino from the coast, with clams and sea bream',
  red: 'Chianti Rufina, with the braised rabbit',
  dessert: 'Passito di Pantelleria, with the olive oil cake',
};

const sommelier: Kind = {
  name: 'sommelier',
  prefix: 'WINE',
  texts: ['style', 'budget', 'alcohol-free', 'question'],
  problems: ({ text }) =>
    onlyProblems({
      style: !Object.hasOwn(styles, text('style')) && 'Choose a style of wine.',
      budget: !isBetween(text('budget'), 15, 200) && 'Enter a budget from 15 to 200 euros.',
      question: text('question').length > 300 && 'Write at most 300 characters.',
    }),
};

function keep(store: Store, kind: Kind, { text }: SentForm, visitor: string, made: string) {
  const details = Object.fromEntries(kind.texts.map((name) => [name, text(name)]));
  const code = newCode(kind.prefix);
  store.run('INSERT INTO requests VALUES (?, ?, ?, ?, ?)', code, kind.name, visitor, JSON.stringify(details), made);
  return { code, ...details };
}

async function receiveJson(context: Context<Env>, site: Site, kind: Kind): Promise<Response> {
  const form = await readForm(context);
  const problems = kind.problems(form, todayOf(site));
  if (Object.keys(problems).length > 0) return context.json({ problems }, 422);
  return context.json(keep(site.store, kind, form, context.get('visitor'), site.now().toISOString()), 201);
}

async function receiveSommelier(context: Context<Env>, site: Site): Promise<Response> {
  const form = await readForm(context);
  const problems = sommelier.problems(form, todayOf(site));
  if (Object.keys(problems).length > 0) return sendComponentsBack(context, site, 'sommelier-form', form, problems);
  const { code } = keep(site.store, sommelier, form, context.get('visitor'), site.now().toISOString());
  return context.redirect(`/thanks.html?wine=${code}`, 303);
}

/** The page of web components. Dishes that are sold out today can still be rated. */
export async function componentsPage(site: Site): Promise<Page> {
  const page = await openPage(site, 'components.html');
  const dishes = allDishes(site.store).map((dish) => ({ ...dish, sold_out: 0 }));
  setContent(byId(page, 'rated-dish'), dishOptions(dishes));
  return page;
}

export async function sendComponentsBack(
  context: Context<Env>,
  site: Site,
  formId: string,
  form: SentForm,
  problems: Problems,
): Promise<Response> {
  const page = await componentsPage(site);
  setText(byTag(page, 'title'), 'Error: Extras: Osteria Lume');
  refill(byId(page, formId), form.sent);
  showProblems(page, formId, problems);
  return sendPage(context, page, 422);
}

export function showWine(context: Context<Env>, site: Site, code: string): Promise<Response> | undefined {
  const request = site.store.one<{ visitor: string; details: string }>(
    "SELECT visitor, details FROM requests WHERE code = ? AND kind = 'sommelier'",
    code,
  );
  if (request?.visitor !== context.get('visitor')) return undefined;
  const details = JSON.parse(request.details) as Readonly<Record<string, string>>;
  const advice = details['alcohol-free'] ? 'Verjus with soda and bay leaf' : (styles[details['style'] ?? ''] ?? '');
  const content = html`<p class="lead">${advice}.</p>
    <p>That stays within €${details['budget']}. Your question is number <strong>${code}</strong>.</p>`;
  const data = { '@type': 'Recommendation', identifier: code, itemReviewed: { '@type': 'Product', name: advice } };
  return sendAnswer(context, site, { title: 'Our sommelier suggests', content, data });
}

export function addRequests(app: Hono<Env>, site: Site): void {
  app.post('/api/vouchers', (context) => receiveJson(context, site, voucher));
  app.post('/api/events', (context) => receiveJson(context, site, event));
  app.post('/sommelier.html', (context) => receiveSommelier(context, site));
  app.get('/sommelier.html', (context) => context.redirect('/components.html', 303));
}
