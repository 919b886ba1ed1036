import {
  type JsonValue,
  exceedsValueCount,
  findDuplicateKey,
  findJsonError,
  formatPosition,
  parseJson,
  preview,
  textExceedsDepth,
} from 'webmcp-forms/headless';
import type { HeldBody } from '../concurrency/capacity.js';
import { HttpError } from './json-response.js';

const maxDepth = 64;
const maxValues = 100_000;

/**
 * Reads the body of a request as JSON. Error messages contain positions, but no values.
 *
 * @param maxBytes - the maximum size of the body. HTTP servers do not read more than the Content-Length; a body without
 * this header is counted while it is read
 * @throws {GatewayError} `overloaded`
 * @throws {HttpError} `unsupported-media-type`, `request-too-large`, `schema-error` with the status 400, `aborted`
 */
export async function readJson(request: Request, maxBytes: number, held?: HeldBody): Promise<JsonValue> {
  checkType(request.headers);
  const length = Number(request.headers.get('content-length'));
  if (length > maxBytes) throw tooLarge(maxBytes);
  held?.add(length);
  return parseBody(await readText(request, maxBytes, held));
}

/**
 * Reads the body of a submitted form.
 *
 * @throws {HttpError} `unsupported-media-type`, `request-too-large`, `schema-error` with the status 400, `aborted`
 */
export async function readForm(request: Request, maxBytes: number): Promise<URLSearchParams> {
  if (/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '')) {
    if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
    return new URLSearchParams(await readText(request, maxBytes));
  }
  throw new HttpError('unsupported-media-type', 'The body is not form data.');
}

function checkType(headers: Headers): void {
  const coding = headers.get('content-encoding') ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    const message = 'The body is compressed. Send it without a content-encoding.';
    throw new HttpError('unsupported-media-type', message, { headers: { 'accept-encoding': 'identity' } });
  }
  if (isJsonType(headers.get('content-type') ?? '')) return;
  const message = 'The content type is not JSON in UTF-8. Send the body as "content-type: application/json".';
  throw new HttpError('unsupported-media-type', message, { headers: { accept: 'application/json' } });
}

const token = "[!#$%&'*+.^_`|~\\w-]+";
const parameter = new RegExp(`[\\t ]*;[\\t ]*(?:(${token})=(${token}|"(?:[^"\\\\]|\\\\.)*"))?`, 'gy');

/** https://www.rfc-editor.org/rfc/rfc9110#name-media-type */
function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [type = ''] = /^[^;]*/.exec(contentType) ?? [];
  const rest = contentType.slice(type.length);
  const parameters = [...rest.matchAll(parameter)];
  const isValid = parameters.map(([text]) => text).join('') === rest.trimEnd();
  return isValid && type.trim().toLowerCase() === 'application/json' && parameters.every(isUtf8);
}

const isUtf8 = ([, name, value = '']: RegExpMatchArray): boolean =>
  name?.toLowerCase() !== 'charset' || /^utf-?8$/i.test(value.replace(/^"|"$|\\(?=.)/g, ''));

const tooLarge = (maxBytes: number): HttpError =>
  new HttpError('request-too-large', `The body is larger than ${maxBytes} bytes, the limit of this gateway.`);

/** Each chunk takes time, whatever its size. */
const maxChunks = 10_000;

const tooManyChunks = (): HttpError =>
  new HttpError(
    'request-too-large',
    `The body has more than ${maxChunks} chunks. Send it with a content-length, or in larger chunks.`,
    { headers: { connection: 'close' } }, // the rest is not read
  );

const invalidBody = (reason: string): HttpError =>
  new HttpError('schema-error', `The body is invalid: ${reason}.`, { status: 400 });

/** `arrayBuffer` is faster than a stream. */
async function readText(request: Request, maxBytes: number, held?: HeldBody): Promise<string> {
  if (!request.headers.has('content-length')) return await readStream(request, maxBytes, held);
  const bytes = new Uint8Array(await request.arrayBuffer().catch(failAborted));
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return decode(new TextDecoder('utf-8', { fatal: true }), bytes);
}

async function readStream({ body }: Request, maxBytes: number, held?: HeldBody): Promise<string> {
  if (body === null) return '';
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for (let [length, chunks] = [0, 0]; ; chunks++) {
    const { done, value } = await reader.read().catch(failAborted);
    if (done) return text + decode(decoder);
    length += value.length;
    try {
      if (length > maxBytes) throw tooLarge(maxBytes);
      if (chunks >= maxChunks) throw tooManyChunks();
      held?.add(value.length);
    } catch (error) {
      reader.cancel().catch(() => undefined);
      throw error;
    }
    text += decode(decoder, value, { stream: true });
  }
}

function failAborted(cause: unknown): never {
  throw new HttpError('aborted', 'The request was aborted.', { cause });
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array, options = { stream: false }): string {
  try {
    return decoder.decode(bytes, options);
  } catch {
    throw invalidBody('it is not UTF-8');
  }
}

function parseBody(text: string): JsonValue {
  if (text.trim() === '') throw invalidBody('it is empty');
  if (textExceedsDepth(text, maxDepth)) throw invalidBody(`it has more than ${maxDepth} levels`);
  if (exceedsValueCount(text, maxValues)) {
    throw new HttpError('request-too-large', `The body has more than ${maxValues} values.`);
  }
  const value = parseJson(text);
  if (value === undefined) throw invalidBody(`${errorPlace(text)} is not valid JSON`);
  const duplicate = findDuplicateKey(text);
  if (!duplicate) return value as JsonValue;
  throw invalidBody(`${formatPosition(text, duplicate.index)} repeats the key ${preview(duplicate.name)}`);
}

function errorPlace(text: string): string {
  try {
    return formatPosition(text, findJsonError(text));
  } catch (error) {
    if (error instanceof RangeError) return 'it'; // the text is too long for a regular expression
    throw error;
  }
}
