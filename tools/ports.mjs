import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * A free port of 127.0.0.1, for programs that cannot report the port they chose. It is below the range from which systems
 * choose ports, so the system does not assign it to another program before the program listens.
 */
export async function freePort() {
  const port = 11_000 + Math.floor(Math.random() * 20_000);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error.code === 'EADDRINUSE') return freePort();
    throw error;
  }
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether a program listens on a port of 127.0.0.1. */
export async function isListening(port) {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
