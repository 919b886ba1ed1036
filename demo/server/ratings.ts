import type { Context, Hono } from 'hono';
import { html } from './markup.js';
import { onlyProblems } from './bookings.js';
import type { Store } from './database.js';
import { dishOf } from './menu.js';
import type { Problems } from './refill.js';
import { componentsPage, sendComponentsBack } from './requests.js';
import { readForm, type SentForm } from './sent-form.js';
import { sendAnswer, sendPage, type Env, type Site } from './site.js';

const problemsOf = (store: Store, { text }: SentForm): Problems =>
  onlyProblems({
    dish: !dishOf(store, text('dish')) && 'Choose a dish.',
    stars: !/^[1-5]$/.test(text('stars')) && 'Give 1 to 5 stars.',
    comment: text('comment').length > 200 && 'Write at most 200 characters.',
  });

interface Average {
  readonly average: number;
  readonly count: number;
}

const averageOf = (store: Store, dish: string): Average | undefined =>
  store.one('SELECT AVG(stars) AS average, COUNT(*) AS count FROM ratings WHERE dish = ?', dish);

async function receive(context: Context<Env>, site: Site): Promise<Response> {
  const form = await readForm(context);
  const problems = problemsOf(site.store, form);
  if (Object.keys(problems).length > 0) return sendComponentsBack(context, site, 'rating-form', form, problems);
  site.store.run(
    `INSERT INTO ratings VALUES (?, ?, ?, ?)
     ON CONFLICT (visitor, dish) DO UPDATE SET stars = excluded.stars, comment = excluded.comment`,
    ...[context.get('visitor'), form.text('dish'), Number(form.text('stars')), form.text('comment')],
  );
  return context.redirect(`/thanks.html?rated=${form.text('dish')}`, 303);
}

const data = (name: string, { average, count }: Average): object => ({
  '@type': 'AggregateRating',
  itemReviewed: { '@type': 'MenuItem', name },
  ratingValue: Number(average.toFixed(1)),
  ratingCount: count,
});

export function showRating(context: Context<Env>, site: Site, id: string): Promise<Response> | undefined {
  const [dish, rating] = [dishOf(site.store, id), averageOf(site.store, id)];
  if (!dish || !rating || rating.count === 0) return undefined;
  const visitors = rating.count === 1 ? '1 guest' : `${rating.count} guests`;
  const content = html`<p class="lead">${dish.name} has ${rating.average.toFixed(1)} of 5 stars from ${visitors}.</p>`;
  return sendAnswer(context, site, { title: 'Thank you', content, data: data(dish.name, rating) });
}

export function addRatings(app: Hono<Env>, site: Site): void {
  app.get('/components.html', async (context) => sendPage(context, await componentsPage(site)));
  app.post('/ratings.html', (context) => receive(context, site));
  app.get('/ratings.html', (context) => context.redirect('/components.html', 303));
}
