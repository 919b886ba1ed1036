import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A free port of 127.0.0.1, for programs that cannot report the port they chose. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
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
