import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';

/** Keeps a stream of MCP open, and counts its notifications. Counts other messages as wrong. */
export async function watchStream(gateway, phase) {
  const { tally } = phase;
  while (!phase.isOver()) {
    try {
      const headers = { accept: 'text/event-stream', ...gateway.headers };
      const { statusCode, body } = await request(`${gateway.url}mcp`, {
        headers,
        dispatcher: gateway.dispatcher,
        signal: phase.signal,
        bodyTimeout: 0,
      });
      const isExpected = statusCode === 200 || (statusCode === 503 && phase.windows(performance.now()).isStopping);
      if (!isExpected) tally.add('wrong answer', `a stream has the status ${statusCode}`);
      for await (const chunk of body) countMessages(String(chunk), tally);
    } catch {
      tally.add('streams that ended');
    }
    await wait(200);
  }
}

function countMessages(text, tally) {
  for (const [, data] of text.matchAll(/^data: (.+)$/gm)) {
    if (data.includes('notifications/tools/list_changed')) tally.add('notifications of changed tools');
    else tally.add('wrong answer', `a stream has ${data.slice(0, 200)}`);
  }
}
