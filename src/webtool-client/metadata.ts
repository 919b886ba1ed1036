import { maxJsonDepth, exceedsDepth, isRecord, stringify, type JsonRecord } from '../json.js';
import { truncate, visibleText } from '../visible-text.js';
import { limits } from './limits.js';
import { WebtoolError } from './webtool-error.js';

export interface WebtoolAction {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly requestSchema: JsonRecord;
  readonly responseSchema?: JsonRecord;
  /** Whether the action has no side effects. @default false */
  readonly readOnly: boolean;
  /** Whether a person should confirm the action. @default false */
  readonly consequential: boolean;
}

export interface Metadata {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** The hash as received. */
  readonly hash: string | undefined;
  readonly actions: readonly WebtoolAction[];
  readonly source: readonly unknown[];
  /** Whether the webtool uses the older names `schema`, `payload` and `session_id`. */
  readonly isLegacy: boolean;
}

class MemberReader {
  readonly #object: JsonRecord;
  readonly #path: string;
  readonly #fail: Fail;

  /** @param path - the path of the object in the metadata, such as `actions[0].`; empty for the metadata itself */
  constructor(object: JsonRecord, path: string, fail: Fail) {
    this.#object = object;
    this.#path = path;
    this.#fail = fail;
  }

  optional(key: string, type: 'string'): string | undefined;
  optional(key: string, type: 'boolean'): boolean | undefined;
  optional(key: string, type: 'string' | 'boolean'): unknown {
    const value = this.#object[key];
    if (value !== undefined && typeof value !== type) this.#fail(`${this.#path}${key} is not a ${type}`);
    if (typeof value === 'string') this.#checkLength(key, value.length, lengths.get(key) ?? limits.name);
    return value;
  }

  text(key: string): string {
    return this.optional(key, 'string') ?? this.#fail(`${this.#path}${key} is missing`);
  }

  /** Reads a name. Names with invisible characters are rejected, because calls contain names unchanged. */
  name(key: string): string {
    const name = this.text(key) || this.#fail(`${this.#path}${key} is empty`);
    return visibleText(name) === name ? name : this.#fail(`${this.#path}${key} has invisible characters`);
  }

  requestSchema(): JsonRecord {
    const schema = this.#object['requestSchema'] ?? this.#object['schema'];
    if (!isRecord(schema) || (schema['type'] ?? 'object') !== 'object')
      return this.#fail(`${this.#path}requestSchema is not the schema of an object`);
    this.#checkLength('requestSchema', stringify(schema).length, limits.schema);
    return schema;
  }

  responseSchema(): JsonRecord | undefined {
    const { responseSchema: schema } = this.#object;
    if (!isRecord(schema)) return undefined;
    this.#checkLength('responseSchema', stringify(schema).length, limits.schema);
    return schema;
  }

  #checkLength(key: string, length: number, limit: number): void {
    if (length > limit)
      this.#fail(`${this.#path}${key} has ${length} characters, and the limit is ${limit}. Shorten it`);
  }
}

type Fail = (reason: string) => never;

const lengths: ReadonlyMap<string, number> = new Map([
  ['title', limits.title],
  ['description', limits.description],
]);

export function readMetadata(body: unknown, url: string): Metadata {
  const fail: Fail = (reason) => {
    throw new WebtoolError('BAD_METADATA', `The metadata of the webtool at ${url} is invalid: ${reason}.`);
  };
  if (!isRecord(body)) return fail('it is not an object');
  if (exceedsDepth(body)) fail(`it has more than ${maxJsonDepth} levels`);
  const source: unknown = body['actions'];
  if (!Array.isArray(source)) return fail('actions is not an array');
  if (source.length > limits.actions) fail(`it has ${source.length} actions, and the limit is ${limits.actions}`);
  const isLegacy = source.some((each) => isRecord(each) && !('requestSchema' in each) && 'schema' in each);
  const actions = source.map((each, index) => readAction(each, `actions[${index}].`, fail));
  const names = new Set<string>();
  for (const { name } of actions) {
    if (names.has(name)) fail(`two actions have the name ${quote(name)}`);
    names.add(name);
  }
  const members = new MemberReader(body, '', fail);
  return {
    name: members.name('name'),
    description: members.text('description'),
    version: isLegacy ? (members.optional('version', 'string') ?? '') : members.name('version'),
    hash: members.optional('hash', 'string'),
    actions,
    source,
    isLegacy,
  };
}

function readAction(value: unknown, path: string, fail: Fail): WebtoolAction {
  const action = isRecord(value) ? value : {};
  const members = new MemberReader(action, path, fail);
  const title = members.optional('title', 'string');
  const responseSchema = members.responseSchema();
  return {
    name: members.name('name'),
    ...(title !== undefined && { title }),
    description: members.text('description'),
    requestSchema: members.requestSchema(),
    ...(responseSchema && { responseSchema }),
    readOnly: members.optional('readOnly', 'boolean') ?? false,
    consequential: members.optional('consequential', 'boolean') ?? false,
  };
}

export const quote = (name: string): string => stringify(truncate(name, 128));
