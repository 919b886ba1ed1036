import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, symlink, unlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayError } from '../../gateway-error.js';
import { reasonOf } from '../../stores/store.js';

// The process that uses a folder listens on a socket in it, `.PID-TOKEN.lock`. The system closes the socket when the
// process ends. After a crash, the remaining file refuses connections and is removed. A process listens before it looks for
// other processes: if two start at the same time, at least one finds the other. Windows uses a named pipe, which only one
// process can create.

const lockName = /^\.(\d+)-[\da-f]{8}\.lock$/;

export const isLock = (name: string): boolean => lockName.test(name);

/**
 * Reserves a folder for this process until it ends, or until the returned function is called.
 *
 * @throws {GatewayError} `store-unavailable` if the folder is in use, or cannot have a socket
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const name = `.${process.pid}-${randomBytes(4).toString('hex')}.lock`;
  const server = createServer((socket) => socket.destroy()).unref();
  const unlock = async (): Promise<void> => {
    server.close();
    await removeSocket(join(folder, name)).catch(() => undefined); // the folder may be missing
  };
  try {
    await withAddress(folder, name, async (path) => {
      server.listen({ path, exclusive: true }); // without `exclusive`, the primary of a cluster would listen
      await once(server, 'listening');
    });
    await removeOthers(folder, name);
  } catch (error) {
    await unlock();
    throw toGatewayError(folder, error);
  }
  return unlock;
}

/** `rm` would read the type of the socket, and then Node.js 20 imports packages without resolving their links, as of pnpm. */
async function removeSocket(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
}

/** Removes the files of ended processes. @throws {GatewayError} if another process listens */
async function removeOthers(folder: string, own: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = lockName.exec(name) ?? [];
    if (pid === undefined || name === own) continue;
    if (await withAddress(folder, name, isListening)) throw inUse(folder, `the process ${pid}`);
    await removeSocket(join(folder, name));
  }
}

/** The maximum length of a socket address: 103 bytes on macOS, 107 on Linux. Node.js truncates longer addresses. */
const maxAddressLength = 103;

/** Calls a function with the address of a socket in a folder. If the path is too long, a temporary link shortens it. */
async function withAddress<Result>(
  folder: string,
  name: string,
  use: (address: string) => Promise<Result>,
): Promise<Result> {
  if (process.platform === 'win32') {
    const id = createHash('sha256').update(folder.toLowerCase()).digest('hex');
    return await use(`\\\\.\\pipe\\webmcp-gateway-${id}`);
  }
  if (Buffer.byteLength(join(folder, name)) <= maxAddressLength) return await use(join(folder, name));
  const temporary = await mkdtemp(join(tmpdir(), 'webmcp-'));
  try {
    const address = join(temporary, 'f', name);
    if (Buffer.byteLength(address) > maxAddressLength) throw Object.assign(new Error(), { code: 'ENAMETOOLONG' });
    await symlink(folder, join(temporary, 'f'));
    return await use(address);
  } finally {
    await rm(temporary, { recursive: true });
  }
}

async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    return !['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(codeOf(error));
  } finally {
    socket.destroy();
  }
}

const inUse = (folder: string, user: string): GatewayError =>
  new GatewayError(
    'store-unavailable',
    `The folder ${folder} is in use by ${user}. Stop it, or use a Redis, which several processes can share.`,
  );

function toGatewayError(folder: string, error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const reason = reasonOf(error);
  if (reason === 'EADDRINUSE') return inUse(folder, 'another process');
  const problem = `The folder ${folder} cannot be reserved for this process: ${reason}.`;
  const advice = 'Use a folder of a local disk, or a Redis.';
  return new GatewayError('store-unavailable', `${problem} ${advice}`, { cause: new Error(reason) });
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
