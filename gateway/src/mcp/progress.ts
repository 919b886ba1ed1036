import type { ProgressToken, ServerContext } from '@modelcontextprotocol/server';

type Notify = ServerContext['mcpReq']['notify'];

interface ProgressOptions {
  readonly notify: Notify;
  readonly _meta: Readonly<Record<string, unknown>> | undefined;
  readonly intervalMs: number;
}

/** The token with which a client asks for progress notifications. */
export function progressTokenOf(meta: Readonly<Record<string, unknown>> | undefined): ProgressToken | undefined {
  const token = meta?.['progressToken'];
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/**
 * Runs a call, and notifies the client periodically if it asked for it, so that the client does not give up. A form is
 * submitted as a whole, so the total is unknown.
 */
export async function withProgress<Result>(
  { notify, _meta, intervalMs }: ProgressOptions,
  run: () => Promise<Result>,
): Promise<Result> {
  const progressToken = progressTokenOf(_meta);
  if (progressToken === undefined || intervalMs <= 0) return await run();
  let progress = 0;
  const timer = setInterval(() => {
    const params = { progressToken, progress: ++progress, message: 'The site has not responded yet.' };
    notify({ method: 'notifications/progress', params }).catch(() => undefined); // the client has disconnected
  }, intervalMs);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}
