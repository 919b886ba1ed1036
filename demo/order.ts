import { refuseMondays } from './no-mondays.js';

interface Dish {
  readonly id: string;
  readonly name: string;
  readonly price: number;
}

const [course, dish] = ['#course', '#dish'].map((id) => document.querySelector(id)) as [
  HTMLSelectElement,
  HTMLSelectElement,
];
const allOptions = [...dish.children].map((option) => option.cloneNode(true));
let latestRequest = 0;

async function dishesOf(name: string): Promise<readonly Node[]> {
  if (name === '') return allOptions.map((option) => option.cloneNode(true));
  const response = await fetch(`/api/dishes?course=${encodeURIComponent(name)}`);
  const dishes = (await response.json()) as readonly Dish[];
  return [
    new Option('Choose a dish', ''),
    ...dishes.map(({ id, name, price }) => new Option(`${name}, €${price}`, id)),
  ];
}

/** Ignores all responses except the response to the latest request. */
async function offerDishes(): Promise<void> {
  const requestNumber = ++latestRequest;
  const chosen = dish.value;
  dish.replaceChildren(new Option('One moment ...', ''));
  const options = await dishesOf(course.value).catch(() => allOptions);
  if (requestNumber !== latestRequest) return;
  dish.replaceChildren(...options);
  dish.value = [...dish.options].some(({ value }) => value === chosen) ? chosen : '';
}

course.addEventListener('change', () => void offerDishes());
if (course.value !== '') void offerDishes();

refuseMondays(document.querySelector('#date') as HTMLInputElement);
