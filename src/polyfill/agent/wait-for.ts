import { startInterval, stopTimer, type Timer } from '../../platform/tasks.js';
import { isActive } from '../frames/context.js';
import type { AgentPart, Context } from '../state.js';

const checkIntervalMs = 100;

export const waitFor: AgentPart['waitFor'] = (context, pending, loading) =>
  pending && pending !== loading ? untilInactive(context, pending) : undefined;

/** Polls, because a frame may be removed without a pagehide event (see calls.ts). */
async function untilInactive(context: Context, pending: Promise<void>): Promise<void> {
  let check: Timer | undefined;
  const inactive = new Promise<void>((resolve) => {
    check = startInterval(checkIntervalMs, () => isActive(context) || resolve());
  });
  try {
    await Promise.race([inactive, pending]);
  } finally {
    stopTimer(check);
  }
}
