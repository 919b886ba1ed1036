import { openStore } from '../../../gateway/src/node/stores.js';
import { createSessions, type Sessions } from '../../../gateway/src/stores/sessions.js';

// Saves cookies of one session when its parent says so, with several stores, which do not wait for each other.
const [location = '', name = '', count = ''] = process.argv.slice(2);
const open = async (): Promise<Sessions> =>
  createSessions((await openStore(location, 'sessions')).storage, 3600, { timeoutMs: 600_000 });
const contenders = await Promise.all(Array.from({ length: Number(count) }, open));

async function save(sessions: Sessions, cookie: string): Promise<void> {
  const session = await sessions.open('key');
  await session.jar.setCookie(cookie, 'https://shop.example/');
  await session.save();
}

process.on('message', (round: number) => {
  const saved = contenders.map((sessions, index) => save(sessions, `${name}${index}=${round}`));
  void Promise.all(saved).then(() => process.send?.(round));
});
process.send?.('ready');
