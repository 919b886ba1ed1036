import { pino, type Logger } from 'pino';

/** Where a gateway says what happens, as a logger of pino takes it. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

export interface LogOptions {
  readonly level: LogLevel;
  readonly stream: NodeJS.WritableStream;
  /** What no text of the log may have, whoever wrote it there. */
  readonly secrets: readonly string[];
}

/** Shorter ones are words as well. */
const shortestSecret = 4;

/** A log with one JSON object a line. */
export function createLog({ level, stream, secrets }: LogOptions): Logger {
  const longestFirst = secrets.filter(({ length }) => length >= shortestSecret).sort((a, b) => b.length - a.length);
  const hide = (text: string): string => longestFirst.reduce((rest, each) => rest.replaceAll(each, '[hidden]'), text);
  const hideIn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hideIn);
    return typeof value === 'string' ? hide(value) : value;
  };
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) =>
        Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, hideIn(value)])),
    },
    // What goes wrong may hold whatever it went wrong with: its cause, a request, a configuration.
    serializers: { error: (error: unknown) => errorFields(error, hide) },
    redact: { paths: ['config', 'headers', 'cookie', 'authorization', 'request', 'input'], remove: true },
  };
  return pino(options, stream);
}

function errorFields(error: unknown, hide: (text: string) => string): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack = '' } = error;
  if (quoting.has(name)) return { name, stack: hide(framesIn(stack, `${name}: ${message}`)) };
  return { name, message: hide(message), stack: hide(stack) };
}

/** Errors whose messages have pieces of what was read. */
const quoting: ReadonlySet<string> = new Set(['SyntaxError', 'ZodError']);

/** The frames of a stack without the message before them. */
const framesIn = (stack: string, head: string): string =>
  stack.startsWith(head) ? stack.slice(head.length).trim() : '';

export const noLog: Log = pino({ level: 'silent' });

/** What a URL's credentials are, as they are written and as they are meant. */
export function credentialsOf(url: string | undefined): readonly string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const { username, password } = new URL(url);
  const plain = [username, password].map(decoded);
  return [password, plain[1] ?? '', username + password === '' ? '' : btoaUtf8(plain.join(':'))];
}

const btoaUtf8 = (text: string): string => Buffer.from(text).toString('base64');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
