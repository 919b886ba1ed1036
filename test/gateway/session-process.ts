import { openStore } from '../../gateway/src/node/stores.js';
import { createSessions } from '../../gateway/src/stores/sessions.js';

// A process with calls of one session: it sets as many cookies as it is told, each in a call, all at once.
const [location = '', name = '', count = ''] = process.argv.slice(2);
const { storage, close } = await openStore(location, 'sessions');
const sessions = createSessions(storage, 60, { timeoutMs: 30_000 });
const call = async (n: number): Promise<void> => {
  const session = await sessions.open('key');
  await session.jar.setCookie(`${name}${n}=1`, 'https://shop.example/');
  await session.save();
};
await Promise.all(Array.from({ length: Number(count) }, (_, n) => call(n)));
await close();
