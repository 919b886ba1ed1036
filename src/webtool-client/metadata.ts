import { deepestJson, isDeeperThan, isRecord, stringify, type JsonRecord } from '../json.js';
import { WebtoolError } from './webtool-error.js';

/** One thing that a webtool does. */
export interface WebtoolAction {
  readonly name: string;
  /** For people. */
  readonly title?: string;
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly requestSchema: JsonRecord;
  readonly responseSchema?: JsonRecord;
  /** It reads, and changes nothing. False unless the webtool says so. */
  readonly readOnly: boolean;
  /** A person was meant to confirm it. False unless the webtool says so. */
  readonly consequential: boolean;
}

/** What a webtool says about itself, checked. */
export interface Metadata {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** As the webtool tells it. */
  readonly hash: string | undefined;
  readonly actions: readonly WebtoolAction[];
  /** The actions as they came. */
  readonly source: readonly unknown[];
  /** Whether the webtool speaks the older dialect: `schema`, `payload`, `session_id`. */
  readonly isOlder: boolean;
}

/** Where a record is in the metadata: `actions[0].`, or nothing for the metadata themselves. */
interface Place {
  readonly path: string;
  readonly bad: (reason: string) => WebtoolError;
}

/** Checks the shape of metadata; `url` is what errors call the webtool. */
export function readMetadata(body: unknown, url: string): Metadata {
  const bad = (reason: string): WebtoolError =>
    new WebtoolError('BAD_METADATA', `The metadata of the webtool at ${url} is wrong: ${reason}.`);
  if (!isRecord(body)) throw bad('it is no object');
  if (isDeeperThan(body, deepestJson)) throw bad(`it has more than ${deepestJson} levels`);
  const source = body['actions'];
  if (!Array.isArray(source)) throw bad('actions is no list');
  const place = { path: '', bad };
  const isOlder = source.some((each) => isRecord(each) && !('requestSchema' in each) && 'schema' in each);
  const actions = source.map((each, index) => readAction(each, { path: `actions[${index}].`, bad }));
  checkDuplicates(actions, place);
  return {
    name: nameIn(body, 'name', place),
    description: textIn(body, 'description', place),
    version: isOlder ? (memberOf(body, 'version', 'string', place) ?? '') : nameIn(body, 'version', place),
    hash: memberOf(body, 'hash', 'string', place),
    ...{ actions, source: source as readonly unknown[], isOlder },
  };
}

function readAction(value: unknown, place: Place): WebtoolAction {
  const action = isRecord(value) ? value : {};
  const title = memberOf(action, 'title', 'string', place);
  const { responseSchema } = action;
  return {
    name: nameIn(action, 'name', place),
    ...(title !== undefined && { title }),
    description: textIn(action, 'description', place),
    requestSchema: schemaIn(action, place),
    ...(isRecord(responseSchema) && { responseSchema }),
    readOnly: memberOf(action, 'readOnly', 'boolean', place) ?? false,
    consequential: memberOf(action, 'consequential', 'boolean', place) ?? false,
  };
}

function schemaIn({ requestSchema, schema }: JsonRecord, { path, bad }: Place): JsonRecord {
  const given = requestSchema ?? schema;
  if (isRecord(given) && (given['type'] ?? 'object') === 'object') return given;
  throw bad(`${path}requestSchema is no schema of an object`);
}

function checkDuplicates(actions: readonly WebtoolAction[], { bad }: Place): void {
  const names = new Set<string>();
  for (const { name } of actions) {
    if (names.has(name)) throw bad(`two actions have the name ${quote(name)}`);
    names.add(name);
  }
}

interface Types {
  readonly string: string;
  readonly boolean: boolean;
}

/** A member that may be missing. */
function memberOf<Type extends keyof Types>(
  record: JsonRecord,
  key: string,
  type: Type,
  { path, bad }: Place,
): Types[Type] | undefined {
  const value = record[key];
  if (value === undefined || typeof value === type) return value as Types[Type] | undefined;
  throw bad(`${path}${key} is no ${type}`);
}

function textIn(record: JsonRecord, key: string, place: Place): string {
  const value = memberOf(record, key, 'string', place);
  if (value === undefined) throw place.bad(`${place.path}${key} is missing`);
  return value;
}

function nameIn(record: JsonRecord, key: string, place: Place): string {
  const value = textIn(record, key, place);
  if (value === '') throw place.bad(`${place.path}${key} is empty`);
  return value;
}

/** Forms may do without a description, other tools may not. */
export const descriptionOf = ({ name, title = '', description }: WebtoolAction): string => description || title || name;

/** A name as messages have it. */
export const quote = (name: string): string => stringify(name.length > 128 ? `${name.slice(0, 128)}...` : name);
