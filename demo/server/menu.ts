import type { Hono } from 'hono';
import { html } from './markup.js';
import type { Row, Store } from './database.js';
import { append, byId, byTag, setContent } from './document.js';
import { courses } from './dishes.js';
import { refill, type Sent } from './refill.js';
import { readQuery, type SentForm } from './sent-form.js';
import { jsonLd, openPage, sendPage, type Env, type Site } from './site.js';

export interface MenuDish extends Row {
  readonly id: string;
  readonly name: string;
  readonly course: string;
  readonly price: number;
  readonly ingredients: string;
  readonly diets: string;
  readonly sold_out: number;
}

const courseOrder = "CASE course WHEN 'starters' THEN 1 WHEN 'mains' THEN 2 ELSE 3 END";

export const allDishes = (store: Store): MenuDish[] => store.all(`SELECT * FROM dishes ORDER BY ${courseOrder}, name`);

export const dishOf = (store: Store, id: string): MenuDish | undefined =>
  store.one('SELECT * FROM dishes WHERE id = ?', id);

/** A LIKE pattern for literal text. */
const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const known = (course: string): string => (Object.hasOwn(courses, course) ? course : '');

const diets = ['vegetarian', 'vegan', 'gluten-free'];

/** An invalid price or diet is ignored and does not fail the search. */
function search(store: Store, { text, all }: SentForm): MenuDish[] {
  const price = /^\d{1,4}$/.test(text('price')) ? Number(text('price')) : 9999;
  const course = known(text('course'));
  const found = store.all<MenuDish>(
    `SELECT * FROM dishes WHERE price <= ? AND (? = '' OR course = ?)
     AND (name LIKE ? ESCAPE '\\' OR ingredients LIKE ? ESCAPE '\\') ORDER BY ${courseOrder}, name`,
    ...[price, course, course, contains(text('q')), contains(text('q'))],
  );
  const wanted = all('diet').filter((diet) => diets.includes(diet));
  return found.filter((dish) => wanted.every((diet) => dish.diets.split(' ').includes(diet)));
}

const row = ({ name, price, ingredients, diets, sold_out }: MenuDish) =>
  html`<li>
    <h3>${name}</h3>
    <p class="price">€${price}</p>
    <p>${ingredients}</p>
    ${diets && html`<p class="tags">${diets.split(' ').join(', ')}</p>`}
    ${sold_out ? html`<p class="sold-out">Sold out today</p>` : ''}
  </li>`;

const section =
  (dishes: readonly MenuDish[]) =>
  ([course, title]: readonly [string, string]) => {
    const rows = dishes.filter((dish) => dish.course === course).map(row);
    if (rows.length === 0) return '';
    return html`<section aria-labelledby="${course}">
      <h2 id="${course}">${title}</h2>
      <ul class="dishes">
        ${rows}
      </ul>
    </section>`;
  };

const count = (dishes: readonly MenuDish[]): string =>
  dishes.length === 1
    ? '1 dish fits.'
    : dishes.length === 0
      ? 'No dish fits. Ask for less.'
      : `${dishes.length} dishes fit.`;

const results = (dishes: readonly MenuDish[], isSearch: boolean): string =>
  String(
    html`${isSearch ? html`<p class="count" role="status">${count(dishes)}</p>` : ''}
    ${Object.entries(courses).map(section(dishes))}`,
  );

const menuData = (dishes: readonly MenuDish[]): object => ({
  '@type': 'Menu',
  name: 'Osteria Lume',
  hasMenuItem: dishes.map(({ id, name, ingredients, price, diets, sold_out }) => ({
    ...{
      '@type': 'MenuItem',
      identifier: id,
      name,
      description: ingredients,
      keywords: diets.split(' ').filter(Boolean),
    },
    offers: {
      ...{ '@type': 'Offer', price, priceCurrency: 'EUR' },
      availability: `https://schema.org/${sold_out ? 'SoldOut' : 'InStock'}`,
    },
  })),
});

const searched = ({ sent }: SentForm): Sent => ({ ...sent, course: sent['course'] ?? ['all'] });

export function addMenu(app: Hono<Env>, site: Site): void {
  app.get('/menu.html', async (context) => {
    const query = readQuery(context);
    const dishes = search(site.store, query);
    const page = await openPage(site, 'menu.html');
    refill(byId(page, 'search-form'), searched(query));
    setContent(byId(page, 'dishes'), results(dishes, Object.keys(query.sent).length > 0));
    append(byTag(page, 'head'), jsonLd(menuData(dishes)));
    return sendPage(context, page);
  });
  app.get('/api/dishes', (context) => {
    const course = known(context.req.query('course') ?? '');
    const dishes = allDishes(site.store).filter((dish) => dish.course === course && !dish.sold_out);
    return context.json(dishes.map(({ id, name, price }) => ({ id, name, price })));
  });
}
