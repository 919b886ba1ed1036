// One call over Webtools or MCP, with the outcome in one shape:
// { answer, warning } | { code } | { failure: 'connection' | 'abandoned' | 'unanswered' | 'broken', detail }
import { request } from 'undici';

const json = { 'content-type': 'application/json' };
const mcpHeaders = { ...json, accept: 'application/json, text/event-stream' };
const answerMs = 60_000;

async function exchange(gateway, path, headers, body, signal) {
  const { dispatcher, url } = gateway;
  const timeouts = { headersTimeout: answerMs, bodyTimeout: answerMs };
  const options = {
    method: 'POST',
    headers: { ...headers, ...gateway.headers },
    body: JSON.stringify(body),
    dispatcher,
    signal,
    ...timeouts,
  };
  const response = await request(`${url}${path}`, options);
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
}

function failureOf(error, signal) {
  const detail = `${error.code ?? error.name}: ${error.message}`;
  if (signal?.aborted) return { failure: 'abandoned', detail };
  if (/TIMEOUT/.test(error.code ?? '')) return { failure: 'unanswered', detail };
  return { failure: 'connection', detail };
}

/** @returns the outcome, or `broken` for an answer that is not in the format of Webtools */
export async function callWebtools(gateway, { action, input, sessionId, signal }) {
  try {
    const body = { action, request: input, ...(sessionId && { sessionId }) };
    const { text } = await exchange(gateway, '', json, body, signal);
    return webtoolsOutcome(text);
  } catch (error) {
    return failureOf(error, signal);
  }
}

function webtoolsOutcome(text) {
  const { status, data, error, warning } = parse(text);
  if (status === 'ok' && data) return { answer: data, warning };
  if (status === 'error' && error?.code) return { code: error.code, message: error.message };
  return { failure: 'broken', detail: text.slice(0, 200) };
}

const parse = (text) => {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
};

/** Calls over MCP in one request. Several calls are a batch, as in the version of the protocol that has them. */
export async function callMcp(gateway, { calls, session, signal }) {
  const messages = calls.map(({ id, action, input }) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: action, arguments: input },
  }));
  try {
    const headers = { ...mcpHeaders, ...session };
    const { text } = await exchange(gateway, 'mcp', headers, messages.length === 1 ? messages[0] : messages, signal);
    const answers = [parse(text)].flat();
    return calls.map(({ id }) => mcpOutcome(answers, id, text));
  } catch (error) {
    return calls.map(() => failureOf(error, signal));
  }
}

function mcpOutcome(answers, id, text) {
  const own = answers.filter((answer) => answer.id === id);
  if (own.length > 1) return { failure: 'broken', detail: `answered ${own.length} times` };
  const [{ result, error } = answers.length === 1 ? answers[0] : {}] = own;
  if (error)
    return { code: /^([A-Za-z_-]+):/.exec(error.message)?.[1] ?? errorCodes[error.code] ?? String(error.message) };
  if (result?.structuredContent) return { answer: result.structuredContent, warning: warningOf(result) };
  const code = /^([A-Z_]+): /.exec(result?.content?.[0]?.text ?? '')?.[1];
  return code ? { code } : { failure: 'broken', detail: text.slice(0, 200) };
}

/** https://www.jsonrpc.org/specification#error_object: an unknown tool is invalid parameters. */
const errorCodes = { [-32602]: 'ACTION_NOT_FOUND', [-32603]: 'INTERNAL_ERROR' };

const warningOf = ({ content }) =>
  content.find(({ text }) => text?.includes('STORE_UNAVAILABLE') || /session could not/i.test(text ?? ''));

export async function openMcp(gateway, protocolVersion) {
  const clientInfo = { name: 'soak', version: '1.0.0' };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  try {
    const { headers } = await exchange(gateway, 'mcp', mcpHeaders, message);
    const id = headers['mcp-session-id'];
    return id ? { 'mcp-session-id': id, 'mcp-protocol-version': protocolVersion } : undefined;
  } catch {
    return undefined; // the gateway is down
  }
}

export async function closeMcp(gateway, session) {
  const { dispatcher, url } = gateway;
  const headers = { ...session, ...gateway.headers };
  await request(`${url}mcp`, { method: 'DELETE', headers, dispatcher }).then(
    ({ body }) => body.dump(),
    () => undefined, // the gateway is down
  );
}
