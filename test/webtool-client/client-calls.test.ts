import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { connectWebtool, type Warning, type WebtoolError } from '../../src/webtool-client/index.js';
import {
  failureOf,
  metadataWith,
  orderAction,
  searchAction,
  secret,
  sendJson,
  serveWebtool,
  withSite,
  withWebtool,
} from './client-server.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('ConnectedWebtool.call', () => {
  it('sends the session, the checked version and hash, the action, the configuration and the request', async () => {
    const config = { authorization: `Bearer ${secret}` };
    await withWebtool({ config, sessionId: 'mine' }, async (webtool, { calls }) => {
      assert.deepEqual(await webtool.call('search', { q: 'tea' }), { text: 'done' });
      assert.deepEqual(calls, [
        { sessionId: 'mine', version: '1.2.0', hash: webtool.hash, action: 'search', config, request: { q: 'tea' } },
      ]);
    });
  });

  it('sends a session ID for each connection, and no configuration by default', async () => {
    await withWebtool({}, async (webtool, { calls, origin }) => {
      await webtool.call('order');
      await webtool.call('order');
      await (await connectWebtool(origin)).call('order');
      const sessions = calls.map((call) => String(call['sessionId']));
      assert.match(sessions[0] ?? '', uuid);
      assert.equal(sessions[1], sessions[0]);
      assert.match(sessions[2] ?? '', uuid);
      assert.notEqual(sessions[2], sessions[0]);
      assert.deepEqual(Object.keys(calls[0] ?? {}), ['sessionId', 'version', 'hash', 'action', 'request']);
      assert.deepEqual(calls[0]?.['request'], {});
    });
  });

  it('requests the checked version after the webtool released another one', async () => {
    let latest = metadataWith();
    const server = await serveWebtool({ toJSON: () => latest });
    const webtool = await connectWebtool(server.origin);
    latest = metadataWith({ version: '2.0.0', actions: [searchAction] });
    await webtool.call('order');
    server.close();
    assert.equal(server.calls[0]?.['version'], '1.2.0');
  });

  it('resolves with any JSON value as data', async () => {
    const results: unknown[] = [null, 0, '', [], { status: 'error' }, 'text'];
    const queue = [...results];
    await withWebtool({ run: () => queue.shift() }, async (webtool) => {
      for (const result of results) assert.deepEqual(await webtool.call('order'), result);
    });
  });

  it('sends a member named __proto__ without changing a prototype', async () => {
    const request = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as object;
    await withWebtool({ run: ({ request: echo }) => echo }, async (webtool, { calls }) => {
      const data = await webtool.call<object>('search', request);
      assert.equal(JSON.stringify(calls[0]?.['request']), JSON.stringify(request));
      assert.ok(Object.hasOwn(data, '__proto__'));
      assert.equal(Reflect.get({}, 'polluted'), undefined);
    });
  });

  it('rejects an unknown action without a request', async () => {
    await withWebtool({}, async (webtool, { calls }) => {
      const { message } = await failureOf(webtool.call('pay'), 'ACTION_NOT_FOUND');
      assert.equal(message, 'The webtool "shop" has no action "pay". Its actions are "search", "order".');
      assert.equal(calls.length, 0);
    });
  });

  it('passes the warning of a successful call to onWarning', async () => {
    const warnings: Warning[] = [];
    const warning = { code: 'SESSION_NOT_SAVED', message: 'The session is not kept.' };
    const onWarning = (each: Warning): void => void warnings.push(each);
    const run: Parameters<typeof serveWebtool>[1] = (_, response) =>
      sendJson(response, { status: 'ok', data: 1, warning });
    await withWebtool({ onWarning, run }, async (webtool) => assert.equal(await webtool.call('order'), 1));
    assert.deepEqual(warnings, [warning]);
  });
});

describe('ConnectedWebtool.call, when the call fails', () => {
  const parameters = [
    { parameter: 'q', code: 'missing', message: 'The parameter "q" is missing.', expected: 'string', received: null },
    { parameter: 'max', code: 'type', message: 'It is no number.', expected: 'number', received: 'a' },
  ];
  const fail =
    (error: unknown, status: number) =>
    (_: unknown, response: Parameters<typeof sendJson>[0]): void =>
      sendJson(response, { status: 'error', error }, status);

  it('lists each parameter error once in the message', async () => {
    const error = { code: 'SCHEMA_ERROR', message: 'Wrong. The parameter "q" is missing.', parameters };
    await withWebtool({ run: fail(error, 422) }, async (webtool) => {
      const failure = await failureOf(webtool.call('search', {}), 'SCHEMA_ERROR');
      assert.equal(failure.message, 'Wrong. The parameter "q" is missing. max: It is no number.');
      assert.equal(failure.status, 422);
      assert.deepEqual(failure.parameters, parameters);
    });
  });

  it('ignores malformed parameter errors', async () => {
    const error = {
      code: 7,
      message: 'Wrong.',
      parameters: [null, 'q', { parameter: 'q' }, ...parameters.slice(0, 1)],
    };
    await withWebtool({ run: fail(error, 400) }, async (webtool) => {
      const failure = await failureOf(webtool.call('search', {}), 'WEBTOOL_ERROR');
      assert.equal(failure.message, 'Wrong. The parameter "q" is missing.');
      assert.equal(failure.parameters.length, 1);
    });
  });

  it('rejects with an error in a response of status 200', async () => {
    await withWebtool({ run: fail({ code: 'RATE_LIMIT', message: 'Wait.' }, 200) }, async (webtool) => {
      assert.equal((await failureOf(webtool.call('order'), 'RATE_LIMIT')).status, 200);
    });
  });

  it('limits the message to 50,000 characters', async () => {
    await withWebtool({ run: fail({ code: 'X', message: 'x'.repeat(200_000) }, 500) }, async (webtool) => {
      const { message } = await failureOf(webtool.call('order'), 'X');
      assert.equal(message.length, 50_000);
      assert.match(message, /x\.\.\. \(The message of the webtool has 200000 characters\. The limit is 50000\.\)$/);
    });
  });

  const ambiguousResponses: readonly (readonly [body: string, type: string, status: number, mayHaveRun: boolean])[] = [
    ['{}', 'application/json', 200, true],
    ['{"status":"ok"}', 'application/json', 200, true],
    ['{"status":"error"}', 'application/json', 200, true],
    ['null', 'application/json', 200, true],
    ['{"status":"error","error":{"code":"X"}}', 'application/json', 500, true],
    ['<p>', 'text/html', 502, true],
    ['<p>', 'text/html', 413, false],
    ['{}', 'application/json', 400, false],
    ['', 'text/html', 307, false],
  ];
  for (const [body, type, status, mayHaveRun] of ambiguousResponses) {
    it(`reports that the call ${mayHaveRun ? 'may have' : 'has not'} run after the response ${body || '(empty)'} with status ${status}`, async () => {
      const run: Parameters<typeof serveWebtool>[1] = (_, response) =>
        response.writeHead(status, { 'content-type': type, location: '/elsewhere' }).end(body);
      await withWebtool({ run }, async (webtool, { requests }) => {
        const { message } = await failureOf(webtool.call('order'), status === 307 ? 'WEBTOOL_REDIRECTS' : 'BAD_ANSWER');
        assert.equal(message.endsWith('The call may have run. Check before you repeat it.'), mayHaveRun, message);
        assert.equal(requests.length, 2);
      });
    });
  }

  it('does not retry a call whose connection breaks, and reports that it may have run', async () => {
    await withWebtool({ run: (_, response) => response.destroy() }, async (webtool, { calls }) => {
      const { message } = await failureOf(webtool.call('order'), 'WEBTOOL_UNREACHABLE');
      assert.match(message, /cannot be reached\. The call may have run/);
      assert.equal(calls.length, 1);
    });
  });

  it('never includes the configuration, the session or a header in an error', async () => {
    const connect = {
      config: { authorization: secret },
      sessionId: secret,
      headers: { authorization: secret },
    };
    const runs: readonly Parameters<typeof serveWebtool>[1][] = [
      (_, response) => response.destroy(),
      (_, response) => response.writeHead(500).end(secret),
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(`[${secret}`),
      (_, response) => response.writeHead(307, { location: `http://127.0.0.1:1/${secret}` }).end(),
      (_, response) => sendJson(response, { data: secret }),
    ];
    for (const run of runs) {
      await withWebtool({ ...connect, run }, async (webtool) => {
        const call = webtool.call('order');
        const code = await call.catch((error: unknown) => (error as WebtoolError).code);
        await failureOf(call, code as string);
      });
    }
  });

  it('rejects with the reason of its signal', async () => {
    await withWebtool({ run: () => new Promise(() => undefined) }, async (webtool) => {
      await assert.rejects(webtool.call('order', {}, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
      const reason = new Error('enough');
      await assert.rejects(webtool.call('order', {}, { signal: AbortSignal.abort(reason) }), reason);
    });
  });

  it('continues when the signal of the connection aborts', async () => {
    const controller = new AbortController();
    const run = async (): Promise<string> => {
      controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 30));
      return 'done';
    };
    await withWebtool({ run, signal: controller.signal }, async (webtool) => {
      assert.equal(await webtool.call('order'), 'done');
    });
  });
});

describe('connectWebtool, with a legacy webtool', () => {
  const { name, description, requestSchema } = searchAction;
  const legacy = { name: 'shop', description: 'A shop.', actions: [{ name, description, schema: requestSchema }] };
  const connect = { sessionId: 'mine', config: { key: 'k' } };

  it('sends calls with the legacy names', async () => {
    await withWebtool({ ...connect, metadata: legacy }, async (webtool, { calls }) => {
      assert.deepEqual(webtool.actions[0]?.requestSchema, requestSchema);
      assert.equal(webtool.version, '');
      assert.deepEqual(await webtool.call('search', { q: 'tea' }), { text: 'done' });
      assert.deepEqual(calls, [{ session_id: 'mine', action: 'search', config: { key: 'k' }, payload: { q: 'tea' } }]);
    });
  });

  it('requests the version of a legacy webtool that has one', async () => {
    await withWebtool({ metadata: { ...legacy, version: '1.0.0' }, version: '1.0.0' }, async (webtool, { calls }) => {
      await webtool.call('search', { q: 'tea' });
      assert.equal(calls[0]?.['version'], '1.0.0');
    });
  });

  it('accepts a bare result', async () => {
    const run: Parameters<typeof serveWebtool>[1] = (_, response) => sendJson(response, { found: 3 });
    await withWebtool({ metadata: legacy, run }, async (webtool) => {
      assert.deepEqual(await webtool.call('search', { q: 'tea' }), { found: 3 });
    });
  });

  it('rejects with an error that is a string', async () => {
    const run: Parameters<typeof serveWebtool>[1] = (_, response) => sendJson(response, { error: 'No tea.' }, 400);
    await withWebtool({ metadata: legacy, run }, async (webtool) => {
      const { message, status } = await failureOf(webtool.call('search', { q: 'tea' }), 'WEBTOOL_ERROR');
      assert.deepEqual([message, status], ['No tea.', 400]);
    });
  });

  it('does not treat a current webtool with an extra schema member as legacy', async () => {
    const actions = [{ ...searchAction, schema: {} }, orderAction];
    await withSite(
      (_, response) => sendJson(response, metadataWith({ actions })),
      async ({ origin }) => assert.deepEqual((await connectWebtool(origin)).actions[0]?.requestSchema, requestSchema),
    );
  });
});
