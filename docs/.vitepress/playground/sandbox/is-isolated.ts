const busyMs = 150;

/**
 * Measures whether a sandboxed frame runs in another thread than this page: the page's timers must go on while the frame is
 * busy. In Chromium on desktop computers they do; in Firefox and Safari they do not.
 */
export async function areFramesIsolated(): Promise<boolean> {
  const script = `onmessage=()=>{const end=Date.now()+${busyMs};while(Date.now()<end);parent.postMessage('done','*')}`;
  const url = URL.createObjectURL(new Blob([`<script>${script}</script>`], { type: 'text/html' }));
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.hidden = true;
  frame.src = url;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  const longestPause = await measurePauses(frame);
  frame.remove();
  URL.revokeObjectURL(url);
  return longestPause < busyMs / 2;
}

/** Resolves with the longest pause between two timers of this page until the frame is done. */
async function measurePauses(frame: HTMLIFrameElement): Promise<number> {
  let isDone = false;
  const onMessage = ({ source }: MessageEvent): void => {
    isDone ||= source === frame.contentWindow;
  };
  window.addEventListener('message', onMessage);
  frame.contentWindow?.postMessage('run', '*');
  const start = performance.now();
  let longest = 0;
  for (let last = start; !isDone && last - start < 10 * busyMs;) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  window.removeEventListener('message', onMessage);
  return isDone ? longest : Infinity;
}
