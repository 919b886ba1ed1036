// The calls that bench/gateway.mjs measures. Each response is checked.
import { Agent, request } from 'undici';
import { bodyOf, inputOf } from './gateway-pages.mjs';

const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };

export function createClient(site, gateway, connections) {
  const dispatcher = new Agent({ connections, connectTimeout: 30_000 });

  async function ask(url, method, headers, body) {
    const response = await request(url, { method, headers, body, dispatcher });
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
  }

  async function checked(expected, ...question) {
    const answer = await ask(...question);
    if (answer.status === 200 && answer.text.includes(expected)) return answer;
    throw new Error(`No "${expected}", but ${answer.status}: ${answer.text.slice(0, 200)}`);
  }

  const booked = (name) => `Booked for ${name}, 4 guests, 2030-05-17`;

  const callOf = (action, name, sessionId) =>
    JSON.stringify({ action, request: inputOf(name), ...(sessionId && { sessionId }) });

  const rpc = async (expected, method, params, headers = {}) =>
    await checked(
      expected,
      `${gateway}mcp`,
      'POST',
      { ...json, accept: 'application/json, text/event-stream', ...headers },
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    );

  return {
    metadata: () => ask(gateway, 'GET', {}),
    ask: (body) => ask(gateway, 'POST', json, body),
    callOf,
    bare: (action, name, token) => checked(booked(name), `${site}${action}`, 'POST', urlencoded, bodyOf(name, token)),
    async barePair(action, name) {
      const page = await checked('name="token"', `${site}${action}.html`, 'GET', {});
      return await this.bare(action, name, /name="token" value="([\w-]+)"/.exec(page.text)[1]);
    },
    webtools: (action, name, sessionId) =>
      checked(booked(name), gateway, 'POST', json, callOf(action, name, sessionId)),
    async initialize() {
      const protocolVersion = '2025-06-18';
      const clientInfo = { name: 'bench', version: '1.0.0' };
      const params = { protocolVersion, capabilities: {}, clientInfo };
      const { headers } = await rpc('protocolVersion', 'initialize', params);
      return { 'mcp-session-id': headers['mcp-session-id'], 'mcp-protocol-version': protocolVersion };
    },
    mcp: (action, name, session) =>
      rpc(booked(name), 'tools/call', { name: action, arguments: inputOf(name) }, session),
    /** A call of 2026-07-28, which has no session. */
    modern(action, name) {
      const [version, method] = ['2026-07-28', 'tools/call'];
      const about = {
        protocolVersion: version,
        clientInfo: { name: 'bench', version: '1.0.0' },
        clientCapabilities: {},
      };
      const members = Object.entries(about).map(([key, value]) => [`io.modelcontextprotocol/${key}`, value]);
      const params = { name: action, arguments: inputOf(name), _meta: Object.fromEntries(members) };
      const headers = { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': action };
      return rpc(booked(name), method, params, headers);
    },
    close: () => dispatcher.destroy(),
  };
}
