import { WebKitDriver } from './webkit-driver.mjs';

/** A browser launcher of @web/test-runner for WebKitGTK, with one browser, one page and one test file at a time. */
export function webkitLauncher() {
  const driver = new WebKitDriver();
  const active = new Map();
  let started;
  return {
    name: 'WebKitGTK',
    type: 'webkitgtk',
    async startSession(id, url) {
      await (started ??= driver.start());
      active.set(id, url);
      await driver.open(url);
    },
    click: (_, ...points) => driver.click(...points),
    enter: (_, count) => driver.press('\ue007'.repeat(count)),
    isActive: (id) => active.has(id),
    getBrowserUrl: (id) => active.get(id),
    async stopSession(id) {
      active.delete(id);
      await driver.open('about:blank');
      return {};
    },
    startDebugSession: () => Promise.reject(new Error('WebKitGTK has no debug session; debug in another engine.')),
    stop: () => driver.stop(),
  };
}
