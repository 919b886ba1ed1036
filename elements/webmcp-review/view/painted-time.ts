/** Approve is delayed this long after a change by anything but the user, after it has become visible, and after it has moved. */
export const approveDelay = { ms: 500 };

/** The maximum time that counts for one frame: a busy page may not have painted the rest. */
const maxFrameMs = 50;

/** The time that painted frames have lasted. It only advances while frames are watched. */
let paintedMs = 0;
let lastFrame: number | undefined;
const watchers = new Set<() => void>();

/** Runs steps in each frame that the browser paints. Returns a function that ends this. */
export function watchFrames(steps: () => void): () => void {
  watchers.add(steps);
  if (watchers.size === 1) requestAnimationFrame(onFrame);
  return () => watchers.delete(steps);
}

function onFrame(time: number): void {
  paintedMs += Math.min(time - (lastFrame ?? time), maxFrameMs);
  lastFrame = watchers.size > 0 ? time : undefined;
  if (watchers.size > 0) requestAnimationFrame(onFrame);
  for (const steps of watchers) steps();
}

/** Starts a delay, and returns the painted time at its end. */
export const startDelay = (): number => paintedMs + approveDelay.ms;

/** @param end - the painted time at the end of the delay. Infinity if it has not started. */
export const isDelayed = (end: number): boolean => paintedMs < end;
