import { openStore } from '../../../gateway/src/node/stores.js';
import { writeRelease } from '../../../gateway/src/releases/releases.js';
import { releaseOf } from './releases.js';

// Releases a version with its own action at the next full second, at the same time as the other processes.
const [location = '', name = ''] = process.argv.slice(2);
const { storage, close } = await openStore(location, 'releases', { isShared: true });
const release = await releaseOf({ action: name });
await new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000)));
const outcome = await writeRelease(storage, release, { timeoutMs: 600_000 }).catch(
  (error: unknown) => (error as { code: string }).code,
);
process.stdout.write(outcome);
await close();
