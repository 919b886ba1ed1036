import { onlyProblems } from './bookings.js';
import type { Row, Store } from './database.js';
import { dishOf, type MenuDish } from './menu.js';
import type { Problems } from './refill.js';
import type { SentForm } from './sent-form.js';
import { newCode } from './visitor.js';
import { problemOfDay, problemOfPickup, type Moment } from './visits.js';

export interface Order extends Row {
  readonly code: string;
  readonly visitor: string;
  readonly dish: string;
  readonly quantity: number;
  readonly extras: string;
  readonly method: string;
  readonly address: string;
  readonly date: string;
  readonly time: string;
  readonly name: string;
  readonly phone: string;
  readonly note: string;
  readonly total: number;
}

export interface Card extends Row {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

const extraPrices: Readonly<Record<string, number>> = { bread: 2, olives: 4, cutlery: 0 };
const deliveryPrice = 3;
const mostBytes = 5_000_000;

const cardProblem = (file: File | undefined): string | false => {
  if (!file) return false;
  if (file.size > mostBytes) return 'Choose a file of at most 5 MB.';
  return !/^(image\/(png|jpeg|webp|gif|avif)|application\/pdf)$/.test(file.type) && 'Choose a photo or a PDF.';
};

const dishProblem = (dish: MenuDish | undefined, course: string): string | false => {
  if (!dish) return 'Choose a dish.';
  if (course !== '' && dish.course !== course) return `${dish.name} belongs to another course.`;
  return !!dish.sold_out && `${dish.name} is sold out today. Choose another dish.`;
};

export const problemsOfOrder = (store: Store, { text, file }: SentForm, now: Moment): Problems =>
  onlyProblems({
    dish: dishProblem(dishOf(store, text('dish')), text('course')),
    quantity: !/^([1-9]|1\d|20)$/.test(text('quantity')) && 'Enter a number of portions from 1 to 20.',
    method: !['pickup', 'delivery'].includes(text('method')) && 'Choose pickup or delivery.',
    address: addressProblem(text('method'), text('address')),
    date: problemOfDay(text('date'), now.day),
    time: problemOfPickup(text('date'), text('time'), now),
    name: (text('name') === '' || text('name').length > 80) && 'Enter your name, with at most 80 characters.',
    phone: !/^\+?[0-9 ]{6,20}$/.test(text('phone')) && 'Enter a phone number of digits and spaces.',
    note: text('note').length > 300 && 'Write at most 300 characters.',
    'allergy-card': cardProblem(file),
  });

function addressProblem(method: string, address: string): string | false {
  if (address.length > 200) return 'Enter an address of at most 200 characters.';
  return method === 'delivery' && address === '' && 'Enter the address that we bring it to.';
}

const totalOf = (price: number, quantity: number, extras: readonly string[], method: string): number =>
  price * quantity +
  extras.reduce((sum, extra) => sum + (extraPrices[extra] ?? 0), 0) +
  (method === 'delivery' ? deliveryPrice : 0);

const extrasIn = ({ all }: SentForm): readonly string[] =>
  Object.keys(extraPrices).filter((extra) => all('extras').includes(extra));

function insertOrder(store: Store, form: SentForm, visitor: string, made: string): string {
  const [{ text }, extras] = [form, extrasIn(form)];
  const quantity = Number(text('quantity'));
  const total = totalOf(dishOf(store, text('dish'))?.price ?? 0, quantity, extras, text('method'));
  const code = newCode('FOOD');
  const texts = ['method', 'address', 'date', 'time', 'name', 'phone', 'note'].map(text);
  store.run(
    'INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[code, text('once') || code, visitor, text('dish'), quantity, extras.join(' '), ...texts, total, made],
  );
  return code;
}

const mostCharacters = 200;

/** A file name of limited length, with whole characters and its extension. */
function shortName(name: string): string {
  const [extension = ''] = /\.\w{1,10}$/.exec(name) ?? [];
  let short = '';
  for (const { segment } of new Intl.Segmenter().segment(name.slice(0, name.length - extension.length))) {
    if (short.length + segment.length + extension.length > mostCharacters) break;
    short += segment;
  }
  return short + extension;
}

function insertCard(store: Store, code: string, file: File, bytes: Uint8Array): void {
  store.run('INSERT INTO cards VALUES (?, ?, ?, ?)', code, shortName(file.name), file.type, bytes);
}

const comparedTexts = ['dish', 'method', 'address', 'date', 'time', 'name', 'phone', 'note'] as const;

function isSameCard(card: Card | undefined, file: File | undefined, bytes: Uint8Array): boolean {
  if (!card || !file) return !card && !file;
  return card.name === shortName(file.name) && card.type === file.type && Buffer.compare(card.bytes, bytes) === 0;
}

/** Whether a form was submitted twice and requests an existing order. */
const isResent = (store: Store, form: SentForm, bytes: Uint8Array, order: Order): boolean =>
  comparedTexts.every((name) => form.text(name) === order[name]) &&
  Number(form.text('quantity')) === order.quantity &&
  extrasIn(form).join(' ') === order.extras &&
  isSameCard(cardOf(store, order.code), form.file, bytes);

/** The code of a new order, or of the order that the same page submitted before. */
export interface Placed {
  readonly code: string;
  readonly isOther: boolean;
}

/** Saves an order. A form that is submitted twice creates one order. */
export async function placeOrder(store: Store, form: SentForm, visitor: string, made: string): Promise<Placed> {
  const bytes = new Uint8Array((await form.file?.arrayBuffer()) ?? []);
  return store.atomically(() => {
    const known = store.one<Order>('SELECT * FROM orders WHERE once = ? AND visitor = ?', form.text('once'), visitor);
    if (known) return { code: known.code, isOther: !isResent(store, form, bytes, known) };
    const code = insertOrder(store, form, visitor, made);
    if (form.file) insertCard(store, code, form.file, bytes);
    return { code, isOther: false };
  });
}

export const orderOf = (store: Store, code: string): Order | undefined =>
  store.one('SELECT * FROM orders WHERE code = ?', code);

export const ordersFrom = (store: Store, day: string): Order[] =>
  store.all('SELECT * FROM orders WHERE date >= ? ORDER BY date, time LIMIT 60', day);

export const cardOf = (store: Store, code: string): Card | undefined =>
  store.one('SELECT name, type, bytes FROM cards WHERE code = ?', code);
