import type { Context, Hono } from 'hono';
import { html } from './markup.js';
import { isEmail, onlyProblems } from './bookings.js';
import type { Store } from './database.js';
import { byId, byTag, setText } from './document.js';
import { refill, showProblems, type Problems } from './refill.js';
import { readForm, type SentForm } from './sent-form.js';
import { openPage, sendAnswer, sendPage, type Env, type Site } from './site.js';

const frequencies: Readonly<Record<string, string>> = {
  monthly: 'once a month',
  weekly: 'every week',
  events: 'before special evenings',
};

const problemsOf = ({ text }: SentForm): Problems =>
  onlyProblems({
    email: !isEmail(text('email')) && 'Enter an e-mail address, like name@example.com.',
    frequency: !Object.hasOwn(frequencies, text('frequency')) && 'Choose how often we write.',
  });

/**
 * Only the visitor who subscribed an address can change it. The response is always the same, so that it does not reveal
 * subscribers.
 */
function subscribe(store: Store, { text }: SentForm, visitor: string, made: string): void {
  store.run(
    `INSERT INTO subscribers (email, frequency, made, visitor) VALUES (?, ?, ?, ?)
     ON CONFLICT (email) DO UPDATE SET frequency = excluded.frequency WHERE visitor = excluded.visitor`,
    ...[text('email').toLowerCase(), text('frequency'), made, visitor],
  );
}

const wantsJson = (context: Context<Env>): boolean => (context.req.header('accept') ?? '').includes('application/json');

async function sendBack(context: Context<Env>, site: Site, form: SentForm, problems: Problems): Promise<Response> {
  if (wantsJson(context)) return context.json({ problems }, 422);
  const page = await openPage(site, 'restaurant.html');
  setText(byTag(page, 'title'), 'Error: Osteria Lume');
  refill(byId(page, 'newsletter-form'), form.sent);
  showProblems(page, 'newsletter-form', problems);
  return sendPage(context, page, 422);
}

async function receive(context: Context<Env>, site: Site): Promise<Response> {
  const form = await readForm(context);
  const problems = problemsOf(form);
  if (Object.keys(problems).length > 0) return sendBack(context, site, form, problems);
  subscribe(site.store, form, context.get('visitor'), site.now().toISOString());
  const { email, frequency } = { email: form.text('email'), frequency: form.text('frequency') };
  if (wantsJson(context)) return context.json({ email, frequency, message: sentence(frequency) });
  return context.redirect(`/thanks.html?newsletter=${frequency}`, 303);
}

const sentence = (frequency: string): string =>
  `We write ${frequencies[frequency] ?? ''}. An address that someone else has put on the list stays as it was.`;

export function showSubscription(context: Context<Env>, site: Site, frequency: string): Promise<Response> | undefined {
  if (!Object.hasOwn(frequencies, frequency)) return undefined;
  const content = html`<p class="lead">${sentence(frequency)}</p>`;
  return sendAnswer(context, site, { title: 'Thank you', content });
}

export function addNewsletter(app: Hono<Env>, site: Site): void {
  app.post('/newsletter.html', (context) => receive(context, site));
  app.get('/newsletter.html', (context) => context.redirect('/restaurant.html#newsletter', 303));
}
