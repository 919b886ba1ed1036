import { openStore } from '../../../gateway/src/node/stores.js';
import { createSessions } from '../../../gateway/src/stores/sessions.js';

// Sets cookies of one session in concurrent calls.
const [location = '', name = '', count = ''] = process.argv.slice(2);
const { storage, close } = await openStore(location, 'sessions');
const sessions = createSessions(storage, 60, { timeoutMs: 600_000 });
const call = async (n: number): Promise<void> => {
  const session = await sessions.open('key');
  await session.jar.setCookie(`${name}${n}=1`, 'https://shop.example/');
  await session.save();
};
await Promise.all(Array.from({ length: Number(count) }, (_, n) => call(n)));
await close();
