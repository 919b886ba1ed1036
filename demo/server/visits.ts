/** The restaurant's days and times, as `YYYY-MM-DD` and `HH:MM`. */

const clock = new Intl.DateTimeFormat('sv-SE', {
  ...{ timeZone: 'Europe/Rome', hourCycle: 'h23' },
  ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
});

/** The current day and time in Europe/Rome, independent of the server's time zone. */
export interface Moment {
  readonly day: string;
  readonly time: string;
}

export function momentOf(date: Date): Moment {
  const [day = '', time = ''] = clock.format(date).split(' ');
  return { day, time };
}

const noonOf = (day: string): Date => new Date(`${day}T12:00Z`);

export function addDays(day: string, days: number): string {
  const date = noonOf(day);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;

const isMonday = (day: string): boolean => noonOf(day).getUTCDay() === 1;

export const lastDay = (today: string): string => addDays(today, 180);

/** The error of a day for a visit or an order; undefined if the day is valid. */
export function problemOfDay(day: string, today: string): string | undefined {
  if (!isDay(day)) return 'Enter a date.';
  if (day < today) return 'This day is over. Choose a later one.';
  if (day > lastDay(today)) return `We plan half a year ahead. Choose a day up to ${lastDay(today)}.`;
  return isMonday(day) ? 'We are closed on Mondays. Choose another day.' : undefined;
}

const timeOf = (minutes: number): string =>
  `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`.padStart(5, '0');

const timesFrom = (first: number, last: number, step: number): readonly string[] =>
  Array.from({ length: (last - first) / step + 1 }, (_, index) => timeOf(first + index * step));

const slots = timesFrom(17 * 60 + 30, 21 * 60 + 30, 30);
const pickupTimes = timesFrom(17 * 60 + 30, 22 * 60, 15);

const isLater = (day: string, time: string, now: Moment): boolean =>
  day > now.day || (day === now.day && time > now.time);

export const slotsLeft = (day: string, now: Moment): readonly string[] =>
  slots.filter((time) => isLater(day, time, now));

const problemOfTime =
  (times: readonly string[], wrong: string) =>
  (day: string, time: string, now: Moment): string | false => {
    if (!times.includes(time)) return wrong;
    return day === now.day && !isLater(day, time, now) && 'This time is over today. Choose a later one.';
  };

export const problemOfSlot = problemOfTime(slots, 'Choose a time: every half hour from 17:30 to 21:30.');
export const problemOfPickup = problemOfTime(pickupTimes, 'Choose a time: every 15 minutes from 17:30 to 22:00.');

export const longDay = (day: string): string =>
  noonOf(day).toLocaleDateString('en-GB', {
    ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  });
