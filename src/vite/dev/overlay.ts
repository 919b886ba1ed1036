import type { ViteDevServer } from 'vite';
import type { Problem } from '../problems.js';

/** What Vite shows over a page. */
export interface Overlay {
  /** Shows what is wrong with a page, or takes it away. */
  readonly show: (path: string, problem: Problem | undefined) => void;
}

/** A page is loaded again after a change, so what is wrong is told again to each that connects. */
export function createOverlay({ ws }: ViteDevServer): Overlay {
  const shown = new Map<string, Problem>();
  ws.on('connection', (socket) => {
    const [problem] = shown.values();
    if (problem) socket.send(JSON.stringify(errorPayload(problem)));
  });
  return {
    show(path, problem) {
      const isCleared = shown.delete(path) && !problem && shown.size === 0;
      if (problem) shown.set(path, problem);
      if (problem) ws.send(errorPayload(problem));
      if (isCleared) ws.send({ type: 'update', updates: [] });
    },
  };
}

const errorPayload = ({ message, id, loc, frame }: Problem) => ({
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
