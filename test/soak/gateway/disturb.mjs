// What happens to the gateways and their stores during a phase.
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A window of time in which a part is down, with a grace for calls that began in it. */
export class Window {
  #began = Infinity;
  #ended = -Infinity;
  #graceMs;

  constructor(graceMs) {
    this.#graceMs = graceMs;
  }

  open() {
    [this.#began, this.#ended] = [performance.now(), Infinity];
  }

  close() {
    this.#ended = performance.now();
  }

  /** Whether a call that began then and ends now overlaps the window. */
  overlaps(began) {
    return performance.now() >= this.#began && began <= this.#ended + this.#graceMs;
  }
}

/**
 * A folder as a store. Its path is a link whose target is replaced by a file in one step, so that each access fails, also
 * for root, and none finds an empty folder.
 */
export async function folderStore(folder) {
  const [sessions, next] = [join(folder, 'sessions'), join(folder, 'sessions.next')];
  const linkTo = async (target) => {
    await symlink(target, next);
    await rename(next, sessions);
  };
  await mkdir(join(folder, 'sessions.folder'), { mode: 0o700 });
  await writeFile(join(folder, 'sessions.file'), 'not a folder');
  await linkTo('sessions.folder');
  return { goDown: () => linkTo('sessions.file'), comeBack: () => linkTo('sessions.folder') };
}

/** A Redis that is suspended and killed in turns. */
export function redisStore(redis) {
  let turn = 0;
  return {
    async goDown() {
      if (turn++ % 2 === 0) redis.freeze();
      else await redis.kill();
    },
    async comeBack() {
      if (turn % 2 === 1) redis.thaw();
      else await redis.start();
    },
  };
}

const disturbances = {
  async kill({ gateways, tally, random }) {
    const victim = gateways.at(-1);
    await victim.end('SIGKILL');
    await wait(random.below(1500));
    await victim.start();
    tally.add('processes killed');
  },
  async restart({ gateways, tally, stopping }) {
    const victim = gateways.at(-1);
    stopping.open();
    const code = await victim.end('SIGTERM');
    await victim.start();
    stopping.close();
    if (code === 0) tally.add('processes stopped');
    else tally.add('stopped with another code', String(code));
  },
  async store({ store, storeDown, tally, random }) {
    storeDown.open();
    await store.goDown();
    await wait(1000 + random.below(4000));
    await store.comeBack();
    storeDown.close();
    tally.add('stores down');
  },
  async site({ site, siteDown, tally, random }) {
    siteDown.open();
    site.child.send({ down: 300 + random.below(1000) });
    await once(site.child, 'message');
    siteDown.close();
    tally.add('sites down');
  },
  async reload({ writeManifest, tally, random }) {
    await writeManifest(`Sells tea ${random.below(1e9)}.`);
    tally.add('manifests changed');
  },
  async damage({ writeManifest, tally }) {
    await writeManifest(undefined);
    await wait(1500);
    await writeManifest('Sells tea again.');
    tally.add('manifests damaged');
  },
};

const order = ['reload', 'kill', 'store', 'site', 'damage', 'store', 'kill', 'restart'];

/** Disturbs the gateways in turns until the phase ends. */
export async function disturb(phase) {
  await wait(phase.pauseMs);
  for (let turn = 0; !phase.isEnding(); turn++) {
    await disturbances[order[turn % order.length]](phase);
    await wait(phase.pauseMs);
  }
}
