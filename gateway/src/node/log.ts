import { pino, type Logger } from 'pino';
import { givenTexts, percentDecode, SecretSearch, urlOf } from 'webmcp-forms/headless';
import type { LiveManifest } from '../manifest.js';
import { excludedFromMcp } from '../mcp/tools.js';
import { resolveSettings, type GatewayEvent, type GatewayOptions } from '../settings.js';
import { webtoolFor } from '../webtools/webtool.js';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

export function createLog({
  level,
  stream,
  secrets,
}: Readonly<{ level: LogLevel; stream: NodeJS.WritableStream; secrets: readonly string[] }>): Logger {
  const search = new SecretSearch(givenTexts(secrets));
  const redact = (text: string): string => search.hideIn(text);
  const redactValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(redactValue);
    return typeof value === 'string' ? redact(value) : value;
  };
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) =>
        Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, redactValue(value)])),
    },
    // Only logs the name, message and stack of an error. Its other members may contain a request or a configuration.
    serializers: { error: (error: unknown) => errorFields(error, redact) },
    redact: { paths: ['config', 'headers', 'cookie', 'authorization', 'request', 'input'], remove: true },
  };
  return pino(options, stream);
}

function errorFields(error: unknown, redact: (text: string) => string): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack = '' } = error;
  if (!quotingErrors.has(name)) return { name, message: redact(message), stack: redact(stack) };
  const head = `${name}: ${message}`;
  return { name, stack: stack.startsWith(head) ? redact(stack.slice(head.length).trim()) : '' };
}

/** Errors whose messages quote their input. */
const quotingErrors: ReadonlySet<string> = new Set(['SyntaxError', 'ZodError']);

export const noLog: Log = pino({ level: 'silent' });

/** The password of a URL, encoded and decoded, and its credentials as in HTTP basic authentication. */
export function urlCredentials(text = ''): readonly string[] {
  const url = urlOf(text);
  if (!url) return [];
  const { username, password } = url;
  const decoded = [username, password].map(percentDecode);
  const basic = username + password === '' ? '' : Buffer.from(decoded.join(':')).toString('base64');
  return [password, decoded[1] ?? '', basic];
}

export function withLog<Options extends GatewayOptions>(options: Options, log: Log): Options {
  const onEvent = (event: GatewayEvent): void => {
    logEvent(event, log);
    options.onEvent?.(event);
  };
  return { ...options, onEvent };
}

/** Logs a fixed list of members, so that new members of events are not logged by accident. */
function logEvent(event: GatewayEvent, log: Log): void {
  const { type, requestId, client, interface: kind, action, code, status, milliseconds, url, error } = event;
  const about = { requestId, client, interface: kind, action };
  const fields = { ...about, code, status, milliseconds: Math.round(milliseconds), url };
  if (type === 'refusal') log.info(fields, 'refused');
  else if (error === undefined) log.info(fields, 'call');
  else log.error({ ...fields, error }, 'call');
}

/** Logs the served webtool now and after every change, until the signal is aborted. */
export async function logWebtool(
  live: LiveManifest,
  options: GatewayOptions,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const settings = resolveSettings(options);
  const logCurrent = async (): Promise<void> => {
    const webtool = await webtoolFor(live.current, settings);
    const { metadata, actions, excluded } = webtool;
    for (const { tool, page, reason } of excluded) log.warn({ tool, page, reason }, 'tool excluded');
    for (const { tool, page, reason } of excludedFromMcp(webtool, settings)) {
      log.warn({ tool, page, reason }, 'tool excluded from MCP');
    }
    const { name, version, hash } = metadata;
    const level = actions.size > 0 ? 'info' : 'warn';
    log[level]({ name, version, hash, actions: actions.size, excluded: excluded.length }, 'webtool');
  };
  live.addEventListener('change', () => void logCurrent(), { signal });
  await logCurrent();
}
