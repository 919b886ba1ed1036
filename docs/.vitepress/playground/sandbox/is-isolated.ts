/** The times for which the frame is busy, in milliseconds. A computer with other work may not run a timer in the first ones. */
const busyTimesMs = [40, 80, 320];
const edgeMs = 10;

/** Is busy for the time that it receives, and sends the times at which it has begun and ended. */
const script =
  "onmessage=({data})=>{const from=Date.now();while(Date.now()<from+data);parent.postMessage([from,Date.now()],'*')}";

/**
 * Measures whether a sandboxed frame runs in another thread than this page: timers of the page must run while the frame is
 * busy. In Chromium on desktop computers they do; in Firefox and Safari they do not.
 */
export async function areFramesIsolated(): Promise<boolean> {
  const url = URL.createObjectURL(new Blob([`<script>${script}</script>`], { type: 'text/html' }));
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.title = 'Measurement';
  frame.hidden = true;
  frame.src = url;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  let isIsolated = false;
  for (const busyMs of busyTimesMs) isIsolated ||= await hasTimerWhileBusy(frame, busyMs);
  frame.remove();
  URL.revokeObjectURL(url);
  return isIsolated;
}

async function hasTimerWhileBusy(frame: HTMLIFrameElement, busyMs: number): Promise<boolean> {
  const times: number[] = [];
  const interval = setInterval(() => times.push(Date.now()), 4);
  const [from, to] = await busyTime(frame, busyMs);
  clearInterval(interval);
  return times.some((time) => time > from + edgeMs && time < to - edgeMs);
}

/** The frame has no other script, so that its messages are believed. */
const busyTime = (frame: HTMLIFrameElement, busyMs: number): Promise<readonly [from: number, to: number]> =>
  new Promise((resolve) => {
    const onMessage = ({ source, data }: MessageEvent<readonly [number, number]>): void => {
      if (source !== frame.contentWindow) return;
      window.removeEventListener('message', onMessage);
      resolve(data);
    };
    window.addEventListener('message', onMessage);
    frame.contentWindow?.postMessage(busyMs, '*');
  });
