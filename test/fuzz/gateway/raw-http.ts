import { connect, type Socket } from 'node:net';

/** A request as bytes, with any framing. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** The declared length of the body: correct, in chunks, too short, too long, or missing. */
  readonly framing: 'length' | 'chunked' | 'short' | 'long' | 'none';
}

export interface RawResponse {
  /** 0 if the server closed the connection without a response. */
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

export function bytesOf({ method, target, headers, body, framing }: RawRequest, host: string): Buffer {
  const content = Buffer.from(body);
  const own = headers.some(([name]) => name.toLowerCase() === 'host') ? [] : [['host', host] as const];
  const length = { length: 0, short: -1, long: 5, none: NaN, chunked: NaN }[framing] + content.length;
  const framed: (readonly [string, string])[] = Number.isNaN(length)
    ? []
    : [['content-length', String(Math.max(0, length))]];
  if (framing === 'chunked') framed.push(['transfer-encoding', 'chunked']);
  const lines = [...own, ...headers, ...framed, ['connection', 'close']].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return Buffer.concat([head, framing === 'chunked' ? chunked(content) : content]);
}

function chunked(content: Buffer): Buffer {
  const end = Buffer.from('0\r\n\r\n');
  if (content.length === 0) return end;
  return Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n'), end]);
}

/** Sends bytes, and resolves with the response: all of it, or its head if it is a stream of events. */
export function exchange(port: number, bytes: Buffer, isIncomplete: boolean): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const finish = (): void => {
      socket.destroy();
      resolve(parse(Buffer.concat(chunks).toString()));
    };
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (/content-type: text\/event-stream/i.test(chunk.toString('latin1'))) finish();
    });
    socket.once('close', finish);
    socket.once('error', finish);
    write(socket, bytes, isIncomplete);
  });
}

/** Ends the connection after an incomplete request, because the server would wait for the rest. */
function write(socket: Socket, bytes: Buffer, isIncomplete: boolean): void {
  if (isIncomplete) socket.end(bytes);
  else socket.write(bytes);
}

function parse(received: string): RawResponse {
  const text = received.replace(/^HTTP\/1\.1 1\d\d [^]*?\r\n\r\n/, ''); // an interim response
  const [, status = '0'] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
  const end = text.indexOf('\r\n\r\n');
  const headers = text.slice(0, end < 0 ? text.length : end);
  const rest = end < 0 ? '' : text.slice(end + 4);
  const isChunked = /transfer-encoding: chunked/i.test(headers);
  return { status: Number(status), headers, body: isChunked ? unchunked(rest) : rest };
}

/** Lengths are in bytes, so the text is decoded again. */
function unchunked(text: string): string {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.subarray(at, end).toString(), 16);
    if (end < 0 || !(length > 0)) break;
    parts.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 4 + length;
  }
  return Buffer.concat(parts).toString();
}
