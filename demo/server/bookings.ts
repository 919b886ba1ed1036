import type { Row, Store } from './database.js';
import type { Problems } from './refill.js';
import type { SentForm } from './sent-form.js';
import { newCode } from './visitor.js';
import { problemOfDay, problemOfSlot, slotsLeft, type Moment } from './visits.js';

export interface Booking extends Row {
  readonly code: string;
  readonly visitor: string;
  readonly date: string;
  readonly time: string;
  readonly guests: number;
  readonly area: string;
  readonly needs: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly occasion: string;
  readonly notes: string;
  readonly state: string;
  readonly made: string;
}

const seats: Readonly<Record<string, number>> = { 'dining-room': 24, terrace: 16, counter: 6 };

export const areaNames: Readonly<Record<string, string>> = {
  'dining-room': 'Dining room',
  terrace: 'Terrace',
  counter: 'Kitchen counter',
};

export const mostGuests = 12;

export const bookingOf = (store: Store, code: string): Booking | undefined =>
  store.one('SELECT * FROM bookings WHERE code = ?', code);

export const bookingsOf = (store: Store, visitor: string): Booking[] =>
  store.all("SELECT * FROM bookings WHERE visitor = ? AND state = 'booked' ORDER BY date, time", visitor);

export const bookingsFrom = (store: Store, day: string): Booking[] =>
  store.all('SELECT * FROM bookings WHERE date >= ? ORDER BY date, time, name LIMIT 60', day);

/** The free seats in a part of the restaurant, including the seats of a booking that is being moved. */
function freeSeats(store: Store, date: string, time: string, area: string, except = ''): number {
  const taken = store.one<{ guests: number }>(
    `SELECT COALESCE(SUM(guests), 0) AS guests FROM bookings
     WHERE date = ? AND time = ? AND area = ? AND state = 'booked' AND code <> ?`,
    ...[date, time, area, except],
  );
  return (seats[area] ?? 0) - (taken?.guests ?? 0);
}

/** The first part of the restaurant, in order of preference, with enough seats. */
export function freeArea(store: Store, visit: Pick<Booking, 'date' | 'time' | 'guests' | 'area'>, except?: string) {
  const wanted = visit.area === 'any' ? Object.keys(seats) : [visit.area];
  return wanted.find((area) => freeSeats(store, visit.date, visit.time, area, except) >= visit.guests);
}

export interface FreeSlot {
  readonly time: string;
  readonly areas: readonly string[];
}

export const freeSlots = (store: Store, date: string, guests: number, now: Moment): FreeSlot[] =>
  slotsLeft(date, now)
    .map((time) => ({
      time,
      areas: Object.keys(seats).filter((area) => freeSeats(store, date, time, area) >= guests),
    }))
    .filter(({ areas }) => areas.length > 0);

export const guestsIn = (text: string): number | undefined => {
  const guests = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return guests >= 1 && guests <= mostGuests ? guests : undefined;
};

export const guestsProblem = `Enter a number of guests from 1 to ${mostGuests}.`;

export const onlyProblems = (problems: Readonly<Record<string, string | false | undefined>>): Problems =>
  Object.fromEntries(Object.entries(problems).filter((each): each is [string, string] => !!each[1]));

export const problemsOfBooking = ({ text }: SentForm, now: Moment): Problems =>
  onlyProblems({
    date: problemOfDay(text('date'), now.day),
    time: problemOfSlot(text('date'), text('time'), now),
    guests: guestsIn(text('guests')) === undefined && guestsProblem,
    area: !['any', ...Object.keys(seats)].includes(text('area')) && 'Choose a part of the restaurant.',
    name: (text('name') === '' || text('name').length > 80) && 'Enter your name, with at most 80 characters.',
    email: !isEmail(text('email')) && 'Enter an e-mail address, like name@example.com.',
    phone: !/^(\+?[0-9 ]{6,20})?$/.test(text('phone')) && 'Enter a phone number of digits and spaces, or none.',
    occasion: text('occasion').length > 80 && 'Say the occasion in at most 80 characters.',
    notes: text('notes').length > 500 && 'Write at most 500 characters.',
  });

export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(text);

const needs = ['high-chair', 'step-free', 'dog'];

function bookingIn({ text, all }: SentForm, visitor: string, made: string): Booking {
  return {
    ...{ date: text('date'), time: text('time'), area: text('area'), name: text('name'), email: text('email') },
    ...{ phone: text('phone'), occasion: text('occasion'), notes: text('notes') },
    ...{ code: newCode('LUME'), visitor, made, state: 'booked', guests: Number(text('guests')) },
    needs: needs.filter((need) => all('needs').includes(need)).join(' '),
  };
}

/** The visitor's booking at the same time with the same email address. */
const sameVisit = (store: Store, { visitor, date, time, email }: Booking): Booking | undefined =>
  store.one(
    "SELECT * FROM bookings WHERE visitor = ? AND date = ? AND time = ? AND email = ? AND state = 'booked'",
    ...[visitor, date, time, email],
  );

function insert(store: Store, booking: Booking): Booking {
  const { code, visitor, date, time, guests, area, needs, name, email, phone, occasion, notes, state, made } = booking;
  store.run(
    'INSERT INTO bookings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[code, visitor, date, time, guests, area, needs, name, email, phone, occasion, notes, state, made],
  );
  return booking;
}

const comparedTexts = ['guests', 'needs', 'name', 'phone', 'occasion', 'notes'] as const;

/** Whether a form was submitted twice and requests an existing booking. */
const isResent = (wish: Booking, known: Booking): boolean =>
  ['any', known.area].includes(wish.area) && comparedTexts.every((name) => wish[name] === known[name]);

/** The outcome of a reservation request: the booking, a conflicting booking, or no free table. */
export type Booked = { readonly booking: Booking } | { readonly other: Booking } | 'full';

/** Books a table if one is free. A form that is submitted twice creates one booking. */
export const book = (store: Store, form: SentForm, visitor: string, made: string): Booked =>
  store.atomically(() => {
    const wish = bookingIn(form, visitor, made);
    const known = sameVisit(store, wish);
    if (known) return isResent(wish, known) ? { booking: known } : { other: known };
    const area = freeArea(store, wish);
    return area === undefined ? 'full' : { booking: insert(store, { ...wish, area }) };
  });

export const cancel = (store: Store, code: string): boolean =>
  store.run("UPDATE bookings SET state = 'canceled' WHERE code = ? AND state = 'booked'", code) === 1;

/** Moves a booking if there is a free table and the guest has no other booking at that time. */
export const move = (store: Store, code: string, date: string, time: string): boolean =>
  store.atomically(() => {
    const booking = bookingOf(store, code);
    if (!booking || booking.state !== 'booked') return false;
    if ((sameVisit(store, { ...booking, date, time })?.code ?? code) !== code) return false;
    const area =
      freeArea(store, { ...booking, date, time }, code) ??
      freeArea(store, { ...booking, date, time, area: 'any' }, code);
    if (area === undefined) return false;
    return store.run('UPDATE bookings SET date = ?, time = ?, area = ? WHERE code = ?', date, time, area, code) === 1;
  });

/** Adds sample bookings to a day without bookings, for the back office. */
export function addSamples(store: Store, day: string, made: string): void {
  const isKnown = store.one('SELECT 1 FROM bookings WHERE date = ?', day);
  if (isKnown) return;
  const sample = (time: string, guests: number, name: string, area: string): Booking => ({
    ...{ code: newCode('LUME'), visitor: 'sample', date: day, time, guests, area, needs: '', name, made },
    ...{ email: 'guest@example.com', phone: '', occasion: '', notes: '', state: 'booked' },
  });
  const samples = [
    sample('18:00', 2, 'Ada Marchetti', 'counter'),
    sample('19:30', 6, 'Tomas Lind', 'dining-room'),
    sample('20:00', 4, 'Noor Haddad', 'terrace'),
  ];
  store.atomically(() => samples.forEach((booking) => insert(store, booking)));
}
