import type { Context, Hono } from 'hono';
import { html } from './markup.js';
import { areaNames, bookingOf, bookingsFrom, cancel, move, onlyProblems, type Booking } from './bookings.js';
import { byId, byTag, setAttribute, setContent, setText, type Page } from './document.js';
import { courses } from './dishes.js';
import { allDishes, dishOf, type MenuDish } from './menu.js';
import { ordersFrom, type Order } from './orders.js';
import { refill, showProblems, type Problems } from './refill.js';
import { readForm, type SentForm } from './sent-form.js';
import { nowOf, openPage, sendPage, todayOf, type Env, type Site } from './site.js';
import { lastDay, longDay, problemOfDay, problemOfSlot } from './visits.js';

type Done = { readonly done: string } | { readonly problems: Problems };

interface Task {
  readonly formId: string;
  readonly run: (site: Site, form: SentForm) => Done;
}

const orProblems = (problems: Problems, run: () => Done): Done =>
  Object.keys(problems).length > 0 ? { problems } : run();

const isOpen = ({ store }: Site, code: string): boolean => bookingOf(store, code)?.state === 'booked';
const noBooking = 'Choose a booking that is not canceled.';

const cancelTask: Task = {
  formId: 'tmx-frm-101',
  run: (site, { text }) =>
    orProblems(onlyProblems({ bk_ref: !isOpen(site, text('bk_ref')) && noBooking }), () => {
      cancel(site.store, text('bk_ref'));
      return { done: `Booking ${text('bk_ref')} is canceled.` };
    }),
};

const full =
  'At this time, all tables for this number of guests are taken, or this guest already has a table. Choose another time.';

const moveTask: Task = {
  formId: 'tmx-frm-102',
  run: (site, { text }) => {
    const [code, date, time] = [text('bk_ref'), text('new_d'), text('new_t')];
    const problems = onlyProblems({
      bk_ref: !isOpen(site, code) && noBooking,
      new_d: problemOfDay(date, todayOf(site)),
      new_t: problemOfSlot(date, time, nowOf(site)),
    });
    return orProblems(problems, () =>
      move(site.store, code, date, time)
        ? { done: `Booking ${code} is now on ${longDay(date)} at ${time}.` }
        : { problems: { new_t: full } },
    );
  },
};

const soldOutTask: Task = {
  formId: 'tmx-frm-103',
  run: ({ store }, { text }) => {
    const dish = dishOf(store, text('itm'));
    const isKnown = ['out', 'in'].includes(text('st'));
    const problems = onlyProblems({ itm: !dish && 'Choose a dish.', st: !isKnown && 'Choose a state.' });
    return orProblems(problems, () => {
      store.run('UPDATE dishes SET sold_out = ? WHERE id = ?', Number(text('st') === 'out'), text('itm'));
      return { done: `${dish?.name ?? ''} is ${text('st') === 'out' ? 'sold out' : 'on the menu again'}.` };
    });
  },
};

const tasks: Readonly<Record<string, Task>> = { cancel: cancelTask, move: moveTask, 'sold-out': soldOutTask };

const bookingRow = ({ code, date, time, name, guests, area, state }: Booking) =>
  html`<tr>
    <td>${code}</td>
    <td>${date} ${time}</td>
    <td>${name}</td>
    <td>${guests}</td>
    <td>${areaNames[area] ?? ''}</td>
    <td>${state}</td>
  </tr>`;

const orderRow =
  (names: ReadonlyMap<string, string>) =>
  ({ code, date, time, name, dish, quantity, method, total }: Order) =>
    html`<tr>
      <td>${code}</td>
      <td>${date} ${time}</td>
      <td>${name}</td>
      <td>${quantity} × ${names.get(dish) ?? dish}</td>
      <td>${method}</td>
      <td>€${total}</td>
    </tr>`;

const noRows = (columns: number) =>
  html`<tr>
    <td colspan="${columns}">None yet</td>
  </tr>`;

const bookingOption = ({ code, date, time, name, guests }: Booking) =>
  html`<option value="${code}">${code}: ${name}, ${guests}, ${date} ${time}</option>`;

const dishOption = ({ id, name, sold_out }: MenuDish) =>
  html`<option value="${id}">${name}${sold_out ? ' (sold out)' : ''}</option>`;

const withEmpty = (label: string, options: readonly unknown[]): string =>
  String(
    html`<option value="">${label}</option>
      ${options}`,
  );

function showTables(page: Page, { store }: Site, today: string, bookings: readonly Booking[]): void {
  const names = new Map(allDishes(store).map(({ id, name }) => [id, name]));
  const orders = ordersFrom(store, today).map(orderRow(names));
  setContent(byId(page, 'tmx-bk'), String(html`${bookings.length > 0 ? bookings.map(bookingRow) : noRows(6)}`));
  setContent(byId(page, 'tmx-or'), String(html`${orders.length > 0 ? orders : noRows(6)}`));
}

async function officePage(site: Site): Promise<Page> {
  const [page, today] = [await openPage(site, 'admin.html'), todayOf(site)];
  const bookings = bookingsFrom(site.store, today);
  showTables(page, site, today, bookings);
  const open = withEmpty('Select...', bookings.filter(({ state }) => state === 'booked').map(bookingOption));
  for (const id of ['tmx-c1', 'tmx-m1']) setContent(byId(page, id), open);
  const byCourse = Object.keys(courses).flatMap((course) =>
    allDishes(site.store).filter((dish) => dish.course === course),
  );
  setContent(byId(page, 'tmx-s1'), withEmpty('Select...', byCourse.map(dishOption)));
  setAttribute(byId(page, 'tmx-m2'), 'min', today);
  setAttribute(byId(page, 'tmx-m2'), 'max', lastDay(today));
  return page;
}

async function sendBack(context: Context<Env>, site: Site, task: Task, form: SentForm, problems: Problems) {
  const page = await officePage(site);
  setText(byTag(page, 'title'), 'Error: Back office: Osteria Lume');
  refill(byId(page, task.formId), form.sent);
  showProblems(page, task.formId, problems);
  return sendPage(context, page, 422);
}

async function receive(context: Context<Env>, site: Site): Promise<Response> {
  const form = await readForm(context);
  const task = Object.hasOwn(tasks, form.text('task')) ? tasks[form.text('task')] : undefined;
  if (!task) return sendBack(context, site, cancelTask, form, { task: 'The office has no such task.' });
  const result = task.run(site, form);
  if ('problems' in result) return sendBack(context, site, task, form, result.problems);
  return context.redirect(`/admin.html?done=${encodeURIComponent(result.done)}`, 303);
}

async function show(context: Context<Env>, site: Site): Promise<Response> {
  const page = await officePage(site);
  const done = context.req.query('done') ?? '';
  setText(byId(page, 'tmx-done'), done.slice(0, 200));
  return sendPage(context, page);
}

export function addOffice(app: Hono<Env>, site: Site): void {
  app.get('/admin.html', (context) => show(context, site));
  app.post('/admin.html', (context) => receive(context, site));
}
