import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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

describe('A call of a webtool', () => {
  it('says the session, the version that was checked, the action, the configuration and the request', async () => {
    const config = { authorization: `Bearer ${secret}` };
    await withWebtool({ config, sessionId: 'mine' }, async (webtool, { calls }) => {
      assert.deepEqual(await webtool.call('search', { q: 'tea' }), { text: 'done' });
      assert.deepEqual(calls, [
        { sessionId: 'mine', version: '1.2.0', action: 'search', config, request: { q: 'tea' } },
      ]);
    });
  });

  it('has a session of its connection, and no configuration, unless they are given', async () => {
    await withWebtool({}, async (webtool, { calls, origin }) => {
      await webtool.call('order');
      await webtool.call('order');
      await (await connectWebtool(origin)).call('order');
      const sessions = calls.map((call) => String(call['sessionId']));
      assert.match(sessions[0] ?? '', uuid);
      assert.equal(sessions[1], sessions[0]);
      assert.match(sessions[2] ?? '', uuid);
      assert.notEqual(sessions[2], sessions[0]);
      assert.deepEqual(Object.keys(calls[0] ?? {}), ['sessionId', 'version', 'action', 'request']);
      assert.deepEqual(calls[0]?.['request'], {});
    });
  });

  it('asks for the version that was checked, though the latest is another now', async () => {
    let latest = metadataWith();
    const server = await serveWebtool({ toJSON: () => latest });
    const webtool = await connectWebtool(server.origin);
    latest = metadataWith({ version: '2.0.0', actions: [searchAction] });
    await webtool.call('order');
    server.close();
    assert.equal(server.calls[0]?.['version'], '1.2.0');
  });

  it('resolves with any data', async () => {
    const results: unknown[] = [null, 0, '', [], { status: 'error' }, 'text'];
    const left = [...results];
    await withWebtool({ run: () => left.shift() }, async (webtool) => {
      for (const result of results) assert.deepEqual(await webtool.call('order'), result);
    });
  });

  it('sends what is called __proto__ as it is, and changes no prototype', async () => {
    const request = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as object;
    await withWebtool({ run: ({ request: echo }) => echo }, async (webtool, { calls }) => {
      const data = await webtool.call<object>('search', request);
      assert.equal(JSON.stringify(calls[0]?.['request']), JSON.stringify(request));
      assert.ok(Object.hasOwn(data, '__proto__'));
      assert.equal(Reflect.get({}, 'polluted'), undefined);
    });
  });

  it('is not sent for an action that the webtool has not', async () => {
    await withWebtool({}, async (webtool, { calls }) => {
      const { message } = await failureOf(webtool.call('pay'), 'ACTION_NOT_FOUND');
      assert.equal(message, 'The webtool "shop" has no action "pay". It has: "search", "order".');
      assert.equal(calls.length, 0);
    });
  });

  it('tells what a call that went well warns of', async () => {
    const warnings: Warning[] = [];
    const warning = { code: 'SESSION_NOT_SAVED', message: 'The session is not kept.' };
    const onWarning = (each: Warning): void => void warnings.push(each);
    const run: Parameters<typeof serveWebtool>[1] = (_, response) =>
      sendJson(response, { status: 'ok', data: 1, warning });
    await withWebtool({ onWarning, run }, async (webtool) => assert.equal(await webtool.call('order'), 1));
    assert.deepEqual(warnings, [warning]);
  });
});

describe('A call that fails', () => {
  const parameters = [
    { parameter: 'q', code: 'missing', message: 'The parameter "q" is missing.', expected: 'string', received: null },
    { parameter: 'max', code: 'type', message: 'It is no number.', expected: 'number', received: 'a' },
  ];
  const fail =
    (error: unknown, status: number) =>
    (_: unknown, response: Parameters<typeof sendJson>[0]): void =>
      sendJson(response, { status: 'error', error }, status);

  it('tells every wrong parameter once', async () => {
    const error = { code: 'SCHEMA_ERROR', message: 'Wrong. The parameter "q" is missing.', parameters };
    await withWebtool({ run: fail(error, 422) }, async (webtool) => {
      const failure = await failureOf(webtool.call('search', {}), 'SCHEMA_ERROR');
      assert.equal(failure.message, 'Wrong. The parameter "q" is missing. max: It is no number.');
      assert.equal(failure.status, 422);
      assert.deepEqual(failure.parameters, parameters);
    });
  });

  it('leaves out what is no wrong parameter', async () => {
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

  it('fails with an error in an answer of status 200, too', async () => {
    await withWebtool({ run: fail({ code: 'RATE_LIMIT', message: 'Wait.' }, 200) }, async (webtool) => {
      assert.equal((await failureOf(webtool.call('order'), 'RATE_LIMIT')).status, 200);
    });
  });

  it('tells no more than a model can read', async () => {
    await withWebtool({ run: fail({ code: 'X', message: 'x'.repeat(200_000) }, 500) }, async (webtool) => {
      assert.equal((await failureOf(webtool.call('order'), 'X')).message.length, 50_000);
    });
  });

  const unclear: readonly (readonly [body: string, type: string, status: number, mayHaveRun: boolean])[] = [
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
  for (const [body, type, status, mayHaveRun] of unclear) {
    it(`says whether it may have run when ${body} comes with ${status}`, async () => {
      const run: Parameters<typeof serveWebtool>[1] = (_, response) =>
        response.writeHead(status, { 'content-type': type, location: '/elsewhere' }).end(body);
      await withWebtool({ run }, async (webtool, { requests }) => {
        const { message } = await failureOf(webtool.call('order'), status === 307 ? 'WEBTOOL_REDIRECTS' : 'BAD_ANSWER');
        assert.equal(message.endsWith('The call may have run: look before you repeat it.'), mayHaveRun, message);
        assert.equal(requests.length, 2);
      });
    });
  }

  it('may have run when the connection breaks, and is never sent again', async () => {
    await withWebtool({ run: (_, response) => response.destroy() }, async (webtool, { calls }) => {
      const { message } = await failureOf(webtool.call('order'), 'WEBTOOL_UNREACHABLE');
      assert.match(message, /cannot be reached\. The call may have run/);
      assert.equal(calls.length, 1);
    });
  });

  it('never tells the configuration, the session or a header', async () => {
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
        const calling = webtool.call('order');
        const code = await calling.catch((error: unknown) => (error as WebtoolError).code);
        await failureOf(calling, code as string);
      });
    }
  });

  it('ends when its signal does', async () => {
    await withWebtool({ run: () => new Promise(() => undefined) }, async (webtool) => {
      await assert.rejects(webtool.call('order', {}, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
      const reason = new Error('enough');
      await assert.rejects(webtool.call('order', {}, { signal: AbortSignal.abort(reason) }), reason);
    });
  });

  it('goes on when the signal of the connection aborts', async () => {
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

describe('A webtool of the older dialect', () => {
  const { name, description, requestSchema } = searchAction;
  const older = { name: 'shop', description: 'A shop.', actions: [{ name, description, schema: requestSchema }] };
  const connect = { sessionId: 'mine', config: { key: 'k' } };

  it('is called in its own words', async () => {
    await withWebtool({ ...connect, metadata: older }, async (webtool, { calls }) => {
      assert.deepEqual(webtool.actions[0]?.requestSchema, requestSchema);
      assert.equal(webtool.version, '');
      assert.deepEqual(await webtool.call('search', { q: 'tea' }), { text: 'done' });
      assert.deepEqual(calls, [{ session_id: 'mine', action: 'search', config: { key: 'k' }, payload: { q: 'tea' } }]);
    });
  });

  it('is asked for its version where it has one', async () => {
    await withWebtool({ metadata: { ...older, version: '1.0.0' }, version: '1.0.0' }, async (webtool, { calls }) => {
      await webtool.call('search', { q: 'tea' });
      assert.equal(calls[0]?.['version'], '1.0.0');
    });
  });

  it('may answer with the bare result', async () => {
    const run: Parameters<typeof serveWebtool>[1] = (_, response) => sendJson(response, { found: 3 });
    await withWebtool({ metadata: older, run }, async (webtool) => {
      assert.deepEqual(await webtool.call('search', { q: 'tea' }), { found: 3 });
    });
  });

  it('fails with a text', async () => {
    const run: Parameters<typeof serveWebtool>[1] = (_, response) => sendJson(response, { error: 'No tea.' }, 400);
    await withWebtool({ metadata: older, run }, async (webtool) => {
      const { message, status } = await failureOf(webtool.call('search', { q: 'tea' }), 'WEBTOOL_ERROR');
      assert.deepEqual([message, status], ['No tea.', 400]);
    });
  });

  it('is none because of one member more', async () => {
    const actions = [{ ...searchAction, schema: {} }, orderAction];
    await withSite(
      (_, response) => sendJson(response, metadataWith({ actions })),
      async ({ origin }) => assert.deepEqual((await connectWebtool(origin)).actions[0]?.requestSchema, requestSchema),
    );
  });
});
