/**
 * A launcher of @web/test-runner that runs several browsers of an engine, for engines that have one page per browser. `create`
 * returns the launcher of one browser.
 */
export function launcherPool(count, create) {
  const launchers = Array.from({ length: count }, create);
  const idle = [...launchers];
  const active = new Map();

  /** Ends a session, so that its browser can run the next file. */
  function release(id) {
    const launcher = active.get(id);
    active.delete(id);
    idle.push(launcher);
  }

  return {
    launchers,
    type: launchers[0].type,
    concurrency: count,
    initialize: (...args) => Promise.all(launchers.map((launcher) => launcher.initialize?.(...args))),
    async startSession(id, url) {
      const launcher = idle.shift();
      active.set(id, launcher);
      await launcher.startSession(id, url).catch((error) => {
        release(id);
        throw error;
      });
    },
    async stopSession(id) {
      try {
        return await active.get(id).stopSession(id);
      } finally {
        release(id);
      }
    },
    launcherOf: (id) => active.get(id),
    isActive: (id) => active.has(id),
    getBrowserUrl: (id) => active.get(id).getBrowserUrl(id),
    startDebugSession: (...args) => launchers[0].startDebugSession(...args),
    stop: () => Promise.all(launchers.map((launcher) => launcher.stop())),
  };
}
