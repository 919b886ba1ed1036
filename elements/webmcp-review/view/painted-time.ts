import { notifyReviewers } from '../pending-forms.js';

/** Approve is delayed this long after a change by anything but the user, and after it has become visible. */
export const approveDelay = { ms: 500 };

/** The maximum time that counts for one frame: a busy page may not have painted the rest. */
const maxFrameMs = 50;

/** The time that painted frames have lasted. It only advances during a delay. */
let paintedMs = 0;
let lastEnd = 0;
let lastFrame: number | undefined;
let request = 0;

/** Starts a delay, and returns the painted time at its end. */
export function startDelay(): number {
  request ||= requestAnimationFrame(onFrame);
  const end = paintedMs + approveDelay.ms;
  lastEnd = Math.max(lastEnd, end);
  return end;
}

function onFrame(time: number): void {
  paintedMs += Math.min(time - (lastFrame ?? time), maxFrameMs);
  const isRunning = isDelayed(lastEnd);
  request = isRunning ? requestAnimationFrame(onFrame) : 0;
  lastFrame = isRunning ? time : undefined;
  if (!isRunning) notifyReviewers();
}

/** @param end - the painted time at the end of the delay */
export const isDelayed = (end: number): boolean => paintedMs < end;
