import { call, type Fault, type Outcome } from './call.js';
import type { Entry } from './log.js';
import { anyTools, documentOf, loadOf, open, type SiteFrame } from './site-frame.js';

export interface Step {
  readonly title: string;
  readonly run: (site: SiteFrame, entry: Entry, say: (state: string) => void) => Promise<void>;
}

const day = (date: Date): string => {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

function nextMonday(): Date {
  const date = new Date();
  date.setDate(date.getDate() + 7 - ((date.getDay() + 6) % 7));
  return date;
}

function dayAfter(text: string): string {
  const date = new Date(`${text}T12:00`);
  date.setDate(date.getDate() + 1);
  return day(date);
}

const wish = {
  ...{ date: day(nextMonday()), time: '19:30', guests: 40, area: 'any' },
  ...{ name: 'Mira Jansen', email: 'mira@example.com', notes: 'One of us is vegetarian.' },
};

const memory = { booking: wish };

const faultsOf = (outcome: Outcome): readonly Fault[] => ('refused' in outcome ? outcome.refused.faults : []);

const messageOf = (outcome: Outcome): string => ('refused' in outcome ? outcome.refused.message : '');

const discover: Step = {
  title: 'Look what the site offers',
  async run(site, entry) {
    await open(site, '/restaurant.html');
    const tools = await anyTools(site);
    entry.note('Asks document.modelContext.getTools().');
    entry.data(
      'Tools of the first page',
      tools.map(({ name, description }) => ({ name, description })),
    );
  },
};

const search: Step = {
  title: 'Search the menu',
  async run(site, entry) {
    await open(site, '/menu.html');
    const outcome = await call(site, entry, 'search_menu', { course: 'pasta', diet: ['vegetarian'], price: 20 });
    const fault = faultsOf(outcome).find(({ parameter }) => parameter === 'course');
    if (!fault) return;
    entry.note(`There is no such course: ${fault.message} Takes one that is offered.`);
    await call(site, entry, 'search_menu', { course: 'mains', diet: ['vegetarian'], price: 20 });
  },
};

const tryBooking: Step = {
  title: 'Book a table, with two mistakes',
  async run(site, entry) {
    await open(site, '/reservation.html');
    entry.note('It has heard "forty" for "four", and Monday was wished for.');
    const faults = faultsOf(await call(site, entry, 'book_table', wish));
    entry.note(
      `${faults.length} parameters are wrong: ${faults.map(({ parameter }) => parameter).join(', ')}. Nothing was booked.`,
    );
    memory.booking = correct(wish, faults);
    entry.data('What it makes of that', memory.booking);
  },
};

/** Corrects the input: four guests instead of too many, and the next day instead of a closed day. */
function correct(input: typeof wish, faults: readonly Fault[]): typeof wish {
  const isWrong = (name: string): boolean => faults.some(({ parameter }) => parameter === name);
  return {
    ...input,
    guests: isWrong('guests') ? 4 : input.guests,
    date: isWrong('date') ? dayAfter(input.date) : input.date,
  };
}

const availability: Step = {
  title: 'Ask for free tables that day',
  async run(site, entry) {
    const { date, guests } = memory.booking;
    await call(site, entry, 'check_availability', { date, guests });
  },
};

interface Reservation {
  readonly '@type'?: string;
  readonly reservationId?: string;
  readonly startTime?: string;
}

function reservationIn(page: Document): Reservation | undefined {
  const blocks = [...page.querySelectorAll('script[type="application/ld+json"]')];
  const data = blocks.map(({ textContent }) => JSON.parse(textContent) as Reservation);
  return data.find(({ '@type': type }) => type === 'FoodEstablishmentReservation');
}

const book: Step = {
  title: 'Book the table, and let you decide',
  async run(site, entry, say) {
    const loaded = loadOf(site);
    loaded.catch(() => undefined); // an aborted run has already rejected the call
    const outcome = await call(site, entry, 'book_table', memory.booking, () => {
      entry.note(
        'The form is filled in. It waits for you: look at the review in the frame, and press "Approve" there.',
      );
      say('Waiting for you: press "Approve" or "Undo" in the site, or Stop here.');
    });
    if (faultsOf(outcome).length > 0) throw new Error(`It was not booked. ${messageOf(outcome)}`);
    if ('refused' in outcome) entry.note('The call ended with the page that was left. The next page says the rest.');
    say('You have decided. Waiting for the next page.');
    await loaded;
  },
};

const see: Step = {
  title: 'See what came of it',
  run(site, entry) {
    const page = documentOf(site);
    const found = reservationIn(page);
    if (!found)
      throw new Error(page.querySelector('.problems')?.textContent.trim() ?? 'The page holds no reservation.');
    entry.data('The reservation, as the page says it', found);
    entry.note(
      `Tells its person: your code is ${found.reservationId ?? 'not said'}, for ${found.startTime ?? 'no time'}.`,
    );
    return Promise.resolve();
  },
};

export const scenario: readonly Step[] = [discover, search, tryBooking, availability, book, see];
