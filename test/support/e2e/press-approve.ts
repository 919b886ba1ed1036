import type { Locator, Page } from 'playwright-core';
import { until } from '../until.js';

/**
 * Presses Approve until the call goes on. Scrolling to it makes it appear again, and it takes no press right after that. The
 * pointer has to move onto it.
 */
export const pressApprove = (page: Page, approve: Locator, isOver: () => Promise<boolean>): Promise<boolean> =>
  until(async () => {
    if (await isOver()) return true;
    await page.mouse.move(0, 0);
    await approve.click({ timeout: 1000 }).catch(() => undefined); // the call may go on meanwhile
    return false;
  });
