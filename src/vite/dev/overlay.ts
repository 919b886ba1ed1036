import type { ViteDevServer } from 'vite';
import type { Problem } from '../problems.js';

export interface Overlay {
  readonly update: (path: string, error: Problem | undefined) => void;
}

/** Clients reload after a change, so the error is sent again to each new connection. */
export function createOverlay({ ws }: ViteDevServer): Overlay {
  const errors = new Map<string, Problem>();
  ws.on('connection', (socket) => {
    const all = [...errors.values()];
    const error = all.find(({ severity }) => severity === 'error') ?? all[0];
    if (error) socket.send(JSON.stringify(payloadOf(error)));
  });
  return {
    update(path, error) {
      const isCleared = errors.delete(path) && !error && errors.size === 0;
      if (error) errors.set(path, error);
      if (error) ws.send(payloadOf(error));
      if (isCleared) ws.send({ type: 'update', updates: [] });
    },
  };
}

const payloadOf = ({ message, id, loc, frame }: Problem) => ({
  type: 'error' as const,
  err: {
    message,
    stack: '',
    id,
    plugin: 'webmcp-forms',
    ...(loc && { loc }),
    ...(frame !== undefined && { frame }),
  },
});
