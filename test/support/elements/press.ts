import { waitUntil } from '../browser/live.js';

type Point = readonly [x: number, y: number];

/** Clicks the middle of an element as a user does, with a pointer that comes from beside it. Browsers do not trust `element.click()`. */
export async function press(element: Element): Promise<void> {
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const middle = [x + width / 2, y + height / 2] as const;
  await pressAt([Math.max(x - 5, 0), middle[1]], [middle[0] - 5, middle[1]], middle);
}

/** Moves the pointer over points of the window, and clicks at the last one. */
export const pressAt = (...points: readonly Point[]): Promise<void> => run('click', { points: JSON.stringify(points) });

/** Holds Enter down for a number of `keydown` events. Only trusted events of a key press a button. */
export const pressEnter = (count = 1): Promise<void> => run('enter', { count: String(count) });

async function run(action: 'click' | 'enter', input: Readonly<Record<string, string>>): Promise<void> {
  const session = new URLSearchParams(location.search).get('wtr-session-id') ?? '';
  const response = await fetch(`/${action}?${new URLSearchParams({ session, ...input }).toString()}`);
  if (!response.ok) throw new Error(`The ${action} failed: ${await response.text()}`);
}

/** Scrolls to the Approve button that `find` returns, which disables it, and clicks it once it is enabled. */
export async function pressApprove(find: () => Element | undefined): Promise<void> {
  await scrollToApprove(find);
  await press(find() as Element);
}

/** Scrolls to the Approve button, so that a press does not move it, and waits until it is enabled again. */
export async function scrollToApprove(find: () => Element | undefined): Promise<void> {
  await waitUntil(() => find() !== undefined);
  find()?.scrollIntoView({ block: 'center', behavior: 'instant' });
  // For the review, the button stays outside of the window for up to 100 ms, the interval of visibility observers.
  for (let frame = 0; frame < 15; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  await waitUntil(() => find()?.hasAttribute('aria-disabled') === false);
}
