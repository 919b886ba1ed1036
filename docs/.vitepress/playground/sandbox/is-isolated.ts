const busyMs = 40;
const attempts = 3;

/** Sends the times at which it has begun and ended to be busy. */
const script = `onmessage=()=>{const from=Date.now();while(Date.now()<from+${busyMs});parent.postMessage([from,Date.now()],'*')}`;

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
  for (let count = 0; count < attempts && !isIsolated; count++) isIsolated = await hasTimerWhileBusy(frame);
  frame.remove();
  URL.revokeObjectURL(url);
  return isIsolated;
}

async function hasTimerWhileBusy(frame: HTMLIFrameElement): Promise<boolean> {
  const times: number[] = [];
  const interval = setInterval(() => times.push(Date.now()), 4);
  const [from, to] = await busyTime(frame);
  clearInterval(interval);
  return times.some((time) => time > from + busyMs / 4 && time < to - busyMs / 4);
}

/** The frame has no other script, so that its messages are believed. */
const busyTime = (frame: HTMLIFrameElement): Promise<readonly [from: number, to: number]> =>
  new Promise((resolve) => {
    const onMessage = ({ source, data }: MessageEvent<readonly [number, number]>): void => {
      if (source !== frame.contentWindow) return;
      window.removeEventListener('message', onMessage);
      resolve(data);
    };
    window.addEventListener('message', onMessage);
    frame.contentWindow?.postMessage('run', '*');
  });
