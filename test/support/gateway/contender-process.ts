import { openRedis } from '../../../gateway/src/node/redis-store.js';
import { createSessions, type Sessions } from '../../../gateway/src/stores/sessions.js';

// Saves cookies of one session through several concurrent stores when the parent process asks for it.
const [location = '', name = '', count = ''] = process.argv.slice(2);
const patienceMs = 600_000;
const timeouts = { connectTimeout: patienceMs, commandTimeout: patienceMs, socketTimeout: patienceMs };
const open = async (): Promise<Sessions> =>
  createSessions(await openRedis(new URL(location), 'webmcp-forms:sessions', timeouts), 3600, {
    timeoutMs: patienceMs,
  });
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
