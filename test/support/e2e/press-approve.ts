import type { Locator, Page } from 'playwright-core';
import { until } from '../until.js';

/**
 * Presses Approve until the call continues. Scrolling to the button disables it for a moment, and a driver that waits
 * for an enabled button scrolls again. The pointer has to move onto the button from beside it.
 */
export const pressApprove = (page: Page, approve: Locator, isOver: () => Promise<boolean>): Promise<boolean> =>
  until(async () => {
    if (await isOver()) return true;
    try {
      await approve.scrollIntoViewIfNeeded({ timeout: 1000 });
      if ((await approve.getAttribute('aria-disabled', { timeout: 1000 })) !== null) return false;
      const { x, y } = (await approve.boundingBox()) ?? { x: 5, y: 0 };
      await page.mouse.move(x - 5, y + 5);
      await approve.click({ timeout: 1000 });
    } catch {
      // The call may continue meanwhile, which removes the button.
    }
    return false;
  });
