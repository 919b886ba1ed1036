import { type JsonValue, jsonErrorIndex, placeIn, preview } from 'webmcp-forms/headless';
import { isDeepText, isWideText, twinMember } from './json-text.js';
import { HttpError } from './http-error.js';

/** More than any action's request has. */
const deepestRequest = 64;
const mostValues = 100_000;

/**
 * Reads the body of a request as JSON. Its errors say where it is wrong, and no value of it.
 *
 * @param mostBytes - how much of it is read; where it says its length, no server lets more of it through
 * @throws {HttpError} `unsupported-media-type`, `request-too-large`, `schema-error` with the status 400, `aborted`
 */
export async function readJson(request: Request, mostBytes: number): Promise<JsonValue> {
  checkType(request.headers);
  if (Number(request.headers.get('content-length')) > mostBytes) throw tooLarge(mostBytes);
  return parse(await textOf(request, mostBytes));
}

function checkType(headers: Headers): void {
  const coding = headers.get('content-encoding') ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    const message = 'The body is compressed. Send it as it is, without a content-encoding.';
    throw new HttpError('unsupported-media-type', message, { headers: { 'accept-encoding': 'identity' } });
  }
  if (isJsonType(headers.get('content-type') ?? '')) return;
  const message = 'The body is not said to be JSON in UTF-8. Send it as "content-type: application/json".';
  throw new HttpError('unsupported-media-type', message, { headers: { accept: 'application/json' } });
}

const token = "[!#$%&'*+.^_`|~\\w-]+";
const parameter = new RegExp(`[\\t ]*;[\\t ]*(?:(${token})=(${token}|"(?:[^"\\\\]|\\\\.)*"))?`, 'gy');

/** https://www.rfc-editor.org/rfc/rfc9110#name-media-type */
function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true; // as nearly all say it
  const [type = ''] = /^[^;]*/.exec(contentType) ?? [];
  const rest = contentType.slice(type.length);
  const parameters = [...rest.matchAll(parameter)];
  const isWhole = parameters.map(([text]) => text).join('') === rest.trimEnd();
  return isWhole && type.trim().toLowerCase() === 'application/json' && parameters.every(isUtf8);
}

const isUtf8 = ([, name, value = '']: RegExpMatchArray): boolean =>
  name?.toLowerCase() !== 'charset' || /^utf-?8$/i.test(value.replace(/^"|"$|\\(?=.)/g, ''));

const tooLarge = (most: number): HttpError =>
  new HttpError('request-too-large', `The body is larger than ${most} bytes, the most that this gateway takes.`);

const wrongBody = (reason: string): HttpError =>
  new HttpError('schema-error', `The body cannot be read: ${reason}.`, { status: 400 });

/** To take the whole is faster than to take a stream. */
async function textOf(request: Request, mostBytes: number): Promise<string> {
  if (!request.headers.has('content-length')) return await streamedText(request, mostBytes);
  const bytes = new Uint8Array(await request.arrayBuffer().catch(brokenOff));
  if (bytes.length > mostBytes) throw tooLarge(mostBytes);
  return decoded(new TextDecoder('utf-8', { fatal: true }), bytes);
}

async function streamedText({ body }: Request, mostBytes: number): Promise<string> {
  if (body === null) return '';
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for (let length = 0; ;) {
    const { done, value } = await reader.read().catch(brokenOff);
    if (done) return text + decoded(decoder);
    length += value.length;
    if (length <= mostBytes) text += decoded(decoder, value, { stream: true });
    else {
      reader.cancel().catch(() => undefined);
      throw tooLarge(mostBytes);
    }
  }
}

function brokenOff(cause: unknown): never {
  throw new HttpError('aborted', 'The request broke off.', { cause });
}

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array, options = { stream: false }): string {
  try {
    return decoder.decode(bytes, options);
  } catch {
    throw wrongBody('it is not UTF-8');
  }
}

function parse(text: string): JsonValue {
  if (text.trim() === '') throw wrongBody('it is empty');
  if (isDeepText(text, deepestRequest)) throw wrongBody(`it is nested deeper than ${deepestRequest} levels`);
  if (isWideText(text, mostValues))
    throw new HttpError('request-too-large', `The body has more than ${mostValues} values.`);
  const value = valueOf(text);
  const twin = twinMember(text);
  if (twin)
    throw wrongBody(`${placeIn(text, twin.index)} has ${preview(twin.name)} again, which its object has already`);
  return value;
}

function valueOf(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw wrongBody(`${placeOfError(text)} is no JSON`); // the error of the platform tells the value
  }
}

function placeOfError(text: string): string {
  try {
    return placeIn(text, jsonErrorIndex(text));
  } catch (error) {
    if (error instanceof RangeError) return 'something in it'; // a string of more characters than a pattern takes
    throw error;
  }
}
