import { randomUUID } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { html } from './markup.js';
import { byId, byTag, setAttribute, setContent, setText, type Page } from './document.js';
import { courses } from './dishes.js';
import { allDishes, dishOf, type MenuDish } from './menu.js';
import { cardOf, orderOf, placeOrder, problemsOfOrder, type Order } from './orders.js';
import { refill, showProblems, type Problems } from './refill.js';
import { readForm, type SentForm } from './sent-form.js';
import { openPage, nowOf, restaurant, sendAnswer, sendPage, todayOf, type Env, type Site } from './site.js';
import { lastDay, longDay } from './visits.js';

const option = ({ id, name, price, sold_out }: MenuDish) =>
  html`<option value="${id}" ${sold_out ? 'disabled' : ''}>${name}, €${price}${sold_out ? ' (sold out)' : ''}</option>`;

const group =
  (dishes: readonly MenuDish[]) =>
  ([course, title]: readonly [string, string]) =>
    html`<optgroup label="${title}" data-course="${course}">
      ${dishes.filter((dish) => dish.course === course).map(option)}
    </optgroup>`;

export const dishOptions = (dishes: readonly MenuDish[]): string =>
  String(
    html`<option value="">Choose a dish</option>
      ${Object.entries(courses).map(group(dishes))}`,
  );

async function formPage(site: Site): Promise<Page> {
  const page = await openPage(site, 'order.html');
  setContent(byId(page, 'dish'), dishOptions(allDishes(site.store)));
  setAttribute(byId(page, 'once'), 'value', randomUUID());
  setAttribute(byId(page, 'date'), 'min', todayOf(site));
  setAttribute(byId(page, 'date'), 'max', lastDay(todayOf(site)));
  return page;
}

async function sendBack(context: Context<Env>, site: Site, form: SentForm, problems: Problems): Promise<Response> {
  const page = await formPage(site);
  setText(byTag(page, 'title'), 'Error: Order: Osteria Lume');
  refill(byId(page, 'order-form'), form.sent);
  showProblems(page, 'order-form', problems);
  return sendPage(context, page, 422);
}

const otherProblem = (code: string): string =>
  `This form has sent your order ${code} already. Send it once more if you want this as well.`;

/** Removes the order's token. The next page has a new token, so that the order can be submitted again. */
function withoutOnce(form: SentForm): SentForm {
  const { once: _, ...sent } = form.sent;
  return { ...form, sent };
}

async function receive(context: Context<Env>, site: Site): Promise<Response> {
  const form = await readForm(context);
  const problems = problemsOfOrder(site.store, form, nowOf(site));
  if (Object.keys(problems).length > 0) return sendBack(context, site, form, problems);
  const { code, isOther } = await placeOrder(site.store, form, context.get('visitor'), site.now().toISOString());
  if (isOther) return sendBack(context, site, withoutOnce(form), { order: otherProblem(code) });
  return context.redirect(`/thanks.html?order=${code}`, 303);
}

const orderData = (order: Order, dish: MenuDish | undefined): object => ({
  '@type': 'Order',
  orderNumber: order.code,
  orderStatus: 'https://schema.org/OrderProcessing',
  customer: { '@type': 'Person', name: order.name },
  seller: restaurant,
  orderedItem: {
    '@type': 'OrderItem',
    orderQuantity: order.quantity,
    orderedItem: { '@type': 'MenuItem', name: dish?.name },
  },
  price: order.total,
  priceCurrency: 'EUR',
});

const cardNote = (code: string, name: string, size: number) =>
  html`<p>
    We have your allergy card: <a href="/api/cards/${code}">${name}</a> (${Math.max(1, Math.round(size / 1000))} kB).
  </p>`;

const orderedContent = (order: Order, dish: MenuDish | undefined, card: ReturnType<typeof cardOf>) =>
  html`<p class="lead">Your code is <strong>${order.code}</strong>. You pay €${order.total} on receipt.</p>
    <p>
      ${order.quantity} × ${dish?.name ?? order.dish}${order.extras && `, with ${order.extras.replaceAll(' ', ', ')}`}:
      ${order.method === 'delivery' ? 'we bring it to you' : 'ready for you'} on ${longDay(order.date)} at
      ${order.time}.
    </p>
    ${card ? cardNote(order.code, card.name, card.bytes.length) : ''}`;

export function showOrder(context: Context<Env>, site: Site, code: string): Promise<Response> | undefined {
  const order = orderOf(site.store, code);
  if (order?.visitor !== context.get('visitor')) return undefined;
  const dish = dishOf(site.store, order.dish);
  const content = orderedContent(order, dish, cardOf(site.store, code));
  return sendAnswer(context, site, { title: 'Your order is in the kitchen', content, data: orderData(order, dish) });
}

function sendCard(context: Context<Env>, { store }: Site): Response | Promise<Response> {
  const code = context.req.param('code') ?? '';
  const card = cardOf(store, code);
  if (!card || orderOf(store, code)?.visitor !== context.get('visitor')) return context.notFound();
  return context.body(new Uint8Array(card.bytes), 200, {
    'content-type': card.type,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(card.name)}`,
  });
}

export function addOrder(app: Hono<Env>, site: Site): void {
  app.get('/order.html', async (context) => sendPage(context, await formPage(site)));
  app.post('/order.html', (context) => receive(context, site));
  app.get('/api/cards/:code', (context) => sendCard(context, site));
}
