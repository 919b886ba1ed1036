import '@awesome.me/webawesome/dist/components/input/input.js';
import '@awesome.me/webawesome/dist/components/option/option.js';
import '@awesome.me/webawesome/dist/components/select/select.js';
import '@awesome.me/webawesome/dist/components/switch/switch.js';
import '@awesome.me/webawesome/dist/components/textarea/textarea.js';
import '@awesome.me/webawesome/dist/styles/themes/default.css';
import './star-rating.js';

interface ToolCall<Input> extends Event {
  readonly input: Input;
  respondWith(answer: unknown): void;
}

const element = (id: string): HTMLElement => document.querySelector(`#${id}`) as HTMLElement;

function answerCalls<Input>(id: string, answer: (input: Input) => object): void {
  element(id).addEventListener('toolcall', (event) => {
    const call = event as ToolCall<Input>;
    call.preventDefault();
    call.respondWith(Promise.resolve(call.input).then(answer));
  });
}

const rates: Readonly<Record<string, number>> = { USD: 1.08, GBP: 0.85, CHF: 0.95, JPY: 162 };

function convert({ euros, currency }: { readonly euros: number; readonly currency: string }): object {
  if (!Object.hasOwn(rates, currency)) throw new RangeError(`There is no rate for ${currency}.`);
  if (!(euros >= 0 && euros <= 1000)) throw new RangeError('Give a price from 0 to 1000 euros.');
  const price = Number((euros * (rates[currency] ?? NaN)).toFixed(currency === 'JPY' ? 0 : 2));
  element('converted').textContent = `€${euros} is ${price} ${currency}.`;
  return { price, currency, rate: rates[currency] };
}

/** The seats of the fewest tables for the guests, with six, four or two seats each. */
function tablesFor(guests: number): readonly number[] {
  if (guests <= 0) return [];
  const size = guests > 4 ? 6 : guests > 2 ? 4 : 2;
  return [size, ...tablesFor(guests - size)];
}

function draw(tables: readonly number[]): void {
  const drawn = tables.map((size) => Object.assign(document.createElement('span'), { textContent: String(size) }));
  element('tables').replaceChildren(...drawn);
  element('tables').ariaLabel = `Tables for ${tables.join(', ')} guests`;
  element('tables').hidden = false;
}

function plan({ guests }: { readonly guests: number }): object {
  if (!Number.isInteger(guests) || guests < 1 || guests > 40) throw new RangeError('Give 1 to 40 guests.');
  const tables = tablesFor(guests);
  draw(tables);
  element('converted').textContent =
    `${guests} guests sit at ${tables.length === 1 ? '1 table' : `${tables.length} tables`}.`;
  return { guests, tables };
}

answerCalls('convert', convert);
answerCalls('seat', plan);

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = (): unknown => document.documentElement.classList.toggle('wa-dark', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();
