import type { Context, Hono } from 'hono';
import { html } from './markup.js';
import {
  areaNames,
  book,
  bookingOf,
  bookingsOf,
  freeSlots,
  guestsIn,
  guestsProblem,
  onlyProblems,
  problemsOfBooking,
  type Booking,
  type FreeSlot,
} from './bookings.js';
import { byId, byTag, setAttribute, setContent, setText, type Page } from './document.js';
import { refill, showProblems, type Problems } from './refill.js';
import { readForm, readQuery, type SentForm } from './sent-form.js';
import { openPage, restaurant, sendAnswer, sendPage, nowOf, todayOf, type Env, type Site } from './site.js';
import { lastDay, longDay, problemOfDay } from './visits.js';

const guestsText = (guests: number): string => (guests === 1 ? '1 guest' : `${guests} guests`);

export const bookingData = (booking: Booking): object => ({
  '@type': 'FoodEstablishmentReservation',
  reservationId: booking.code,
  reservationStatus: `https://schema.org/Reservation${booking.state === 'booked' ? 'Confirmed' : 'Cancelled'}`,
  underName: { '@type': 'Person', name: booking.name, email: booking.email },
  startTime: `${booking.date}T${booking.time}`,
  partySize: booking.guests,
  reservationFor: { ...restaurant, '@type': 'FoodEstablishment' },
  description: areaNames[booking.area],
});

const line = ({ code, date, time, guests }: Booking) =>
  html`<li><a href="/thanks.html?booking=${code}">${longDay(date)}, ${time}</a>, ${guestsText(guests)}</li>`;

const listed = (bookings: readonly Booking[]) =>
  html`<ul>
    ${bookings.map(line)}
  </ul>`;

function showMine(page: Page, bookings: readonly Booking[]): void {
  if (bookings.length === 0) return;
  setAttribute(byId(page, 'mine'), 'hidden', undefined);
  setContent(byId(page, 'my-bookings'), String(listed(bookings)));
}

function limitDates(page: Page, today: string): void {
  for (const id of ['date', 'free-date']) {
    setAttribute(byId(page, id), 'min', today);
    setAttribute(byId(page, id), 'max', lastDay(today));
  }
}

async function formPage(context: Context<Env>, site: Site): Promise<Page> {
  const page = await openPage(site, 'reservation.html');
  limitDates(page, todayOf(site));
  showMine(page, bookingsOf(site.store, context.get('visitor')));
  return page;
}

async function sendBack(context: Context<Env>, site: Site, form: SentForm, problems: Problems): Promise<Response> {
  const page = await formPage(context, site);
  setText(byTag(page, 'title'), 'Error: Book a table: Osteria Lume');
  refill(byId(page, 'booking-form'), form.sent);
  showProblems(page, 'booking-form', problems);
  return sendPage(context, page, 422);
}

function fullProblem(site: Site, { text }: SentForm): Problems {
  const others = freeSlots(site.store, text('date'), Number(text('guests')), nowOf(site)).map(({ time }) => time);
  const free = others.length > 0 ? `There are tables at ${others.join(', ')}.` : 'The rest of the evening is full.';
  return { time: `No table for ${guestsText(Number(text('guests')))} is free there at ${text('time')}. ${free}` };
}

const otherProblem = ({ code, guests, time }: Booking): Problems => ({
  time: `You have a booking for ${guestsText(guests)} at ${time} that day: ${code}. Choose another time, or call us to change it.`,
});

async function receive(context: Context<Env>, site: Site): Promise<Response> {
  const form = await readForm(context);
  const problems = problemsOfBooking(form, nowOf(site));
  if (Object.keys(problems).length > 0) return sendBack(context, site, form, problems);
  const booked = book(site.store, form, context.get('visitor'), site.now().toISOString());
  if (booked === 'full') return sendBack(context, site, form, fullProblem(site, form));
  if ('other' in booked) return sendBack(context, site, form, otherProblem(booked.other));
  return context.redirect(`/thanks.html?booking=${booked.booking.code}`, 303);
}

const detail = (name: string, value: string) =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

const bookedContent = (booking: Booking, others: readonly Booking[]) =>
  html`<p class="lead">
      ${booking.state === 'booked' ? 'We look forward to seeing you.' : 'This booking was canceled.'} Your code is
      <strong>${booking.code}</strong>.
    </p>
    <dl class="details">
      ${detail('Date', longDay(booking.date))} ${detail('Time', booking.time)}
      ${detail('Guests', String(booking.guests))} ${detail('Where', areaNames[booking.area] ?? '')}
      ${detail('Name', booking.name)} ${detail('E-mail', booking.email)}
      ${booking.needs && detail('At the table', booking.needs.replaceAll(' ', ', '))}
      ${booking.occasion && detail('Occasion', booking.occasion)} ${booking.notes && detail('Notes', booking.notes)}
    </dl>
    ${
      others.length > 1
        ? html`<h2>All your bookings</h2>
            ${listed(others)}`
        : ''
    }`;

export function showBooking(context: Context<Env>, site: Site, code: string): Promise<Response> | undefined {
  const booking = bookingOf(site.store, code);
  if (booking?.visitor !== context.get('visitor')) return undefined;
  const title = booking.state === 'booked' ? 'Your table is booked' : 'Your booking was canceled';
  const content = bookedContent(booking, bookingsOf(site.store, booking.visitor));
  return sendAnswer(context, site, { title, content, data: bookingData(booking) });
}

const slotLine = ({ time, areas }: FreeSlot) =>
  html`<li><strong>${time}</strong> ${areas.map((area) => areaNames[area]).join(', ')}</li>`;

const slotContent = (slots: readonly FreeSlot[], date: string) =>
  slots.length === 0
    ? html`<p class="lead">No table is left on ${longDay(date)}.</p>`
    : html`<p class="lead">On ${longDay(date)} there are tables at these times:</p>
        <ul class="slots">
          ${slots.map(slotLine)}
        </ul>
        <p class="buttons"><a class="button" href="/reservation.html">Book a table</a></p>`;

const slotData = (slots: readonly FreeSlot[], date: string, guests: number): object => ({
  '@type': 'ItemList',
  name: `Free tables for ${guestsText(guests)} on ${date}`,
  itemListElement: slots.map(({ time, areas }) => ({
    '@type': 'ListItem',
    name: `${date}T${time}`,
    description: areas.join(', '),
  })),
});

async function sendAvailability(context: Context<Env>, site: Site): Promise<Response> {
  const { text, sent } = readQuery(context);
  const [date, guests] = [text('date'), guestsIn(text('guests'))];
  const problems = onlyProblems({
    date: problemOfDay(date, todayOf(site)),
    guests: guests === undefined && guestsProblem,
  });
  if (guests === undefined || Object.keys(problems).length > 0) {
    const page = await formPage(context, site);
    refill(byId(page, 'free-form'), sent);
    showProblems(page, 'free-form', problems);
    return sendPage(context, page, 422);
  }
  const slots = freeSlots(site.store, date, guests, nowOf(site));
  const title = `Free tables for ${guestsText(guests)}`;
  return sendAnswer(context, site, { title, content: slotContent(slots, date), data: slotData(slots, date, guests) });
}

export function addReservation(app: Hono<Env>, site: Site): void {
  app.get('/reservation.html', async (context) => sendPage(context, await formPage(context, site)));
  app.post('/reservation.html', (context) => receive(context, site));
  app.get('/availability.html', (context) => sendAvailability(context, site));
}
