import { waitUntil } from '../browser/live.js';

/** Clicks the middle of an element as a user does. Browsers do not trust `element.click()`. */
export async function press(element: Element): Promise<void> {
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const session = new URLSearchParams(location.search).get('wtr-session-id') ?? '';
  const query = new URLSearchParams({ session, x: String(x + width / 2), y: String(y + height / 2) });
  const response = await fetch(`/click?${query.toString()}`);
  if (!response.ok) throw new Error(`The click failed: ${await response.text()}`);
}

/** Clicks the Approve button that `find` returns, once it is enabled. */
export async function pressApprove(find: () => Element | undefined): Promise<void> {
  await waitUntil(() => find() !== undefined);
  find()?.scrollIntoView({ block: 'center', behavior: 'instant' });
  await waitUntil(() => find()?.hasAttribute('aria-disabled') === false);
  await press(find() as Element);
}
