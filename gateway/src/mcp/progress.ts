import type { ProgressToken, ServerContext } from '@modelcontextprotocol/server';

type Notify = ServerContext['mcpReq']['notify'];

interface ProgressOptions {
  readonly notify: Notify;
  readonly _meta: Readonly<Record<string, unknown>> | undefined;
  readonly intervalMs: number;
}

export function progressTokenOf(meta: Readonly<Record<string, unknown>> | undefined): ProgressToken | undefined {
  const token = meta?.['progressToken'];
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

type WithProgress = <Result>(run: () => Promise<Result>, message?: string) => Promise<Result>;

/**
 * Returns a function that runs a part of a call. It periodically notifies a client that has requested progress, so that
 * the call does not time out. A nested part has its own message. The total is unknown.
 */
export function progressNotifier({ notify, _meta, intervalMs }: ProgressOptions): WithProgress {
  const progressToken = progressTokenOf(_meta);
  if (progressToken === undefined || intervalMs <= 0) return (run) => run();
  let progress = 0;
  let current: string | undefined;
  const send = (): void => {
    const params = { progressToken, progress: ++progress, message: current ?? '' };
    notify({ method: 'notifications/progress', params }).catch(() => undefined); // the client has disconnected
  };
  return async (run, message = 'The site has not responded yet.') => {
    const outer = current;
    const timer = outer === undefined ? setInterval(send, intervalMs) : undefined;
    current = message;
    try {
      return await run();
    } finally {
      current = outer;
      clearInterval(timer);
    }
  };
}
