import { openStore } from '../../../gateway/src/node/stores.js';
import { createSessions } from '../../../gateway/src/stores/sessions.js';

// Saves increasing values of a cookie until it is killed, and reports each one that is saved.
const [location = '', start = ''] = process.argv.slice(2);
const sessions = createSessions((await openStore(location, 'sessions')).storage, 3600, { timeoutMs: 600_000 });
for (let value = Number(start) + 1; ; value++) {
  const session = await sessions.open('key');
  await session.jar.setCookie(`n=${value}`, 'https://shop.example/');
  await session.save();
  process.send?.(value);
}
