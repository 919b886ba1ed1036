import type { ToolAnnotations } from '../../webmcp.js';
import { isWindow } from '../frames/realm.js';
import * as idl from './web-idl.js';
import type { Conversion } from './web-idl.js';

/** A ModelContextTool, converted. Members are read in the order of their names, as Web IDL does. */
export interface ToolInit {
  readonly annotations: ToolAnnotations | undefined;
  readonly description: string;
  readonly execute: () => unknown;
  readonly inputSchema: object | undefined;
  readonly name: string;
  readonly title: string;
}

function annotationsOf(conversion: Conversion, value: unknown): ToolAnnotations {
  const from = idl.dictionary(conversion, value, 'ToolAnnotations');
  const hint = (key: string): boolean => !!Reflect.get(from, key);
  return {
    consequentialHint: hint('consequentialHint'),
    debugging: hint('debugging'),
    readOnlyHint: hint('readOnlyHint'),
    untrustedContentHint: hint('untrustedContentHint'),
  };
}

/** https://webmachinelearning.github.io/webmcp/#dictdef-modelcontexttool */
export function toolInit(conversion: Conversion, value: unknown): ToolInit {
  const name = 'ModelContextTool';
  const from = idl.dictionary(conversion, value, name);
  return {
    annotations: idl.optional(from, 'annotations', (given) => annotationsOf(conversion, given)),
    description: idl.required(conversion, from, name, 'description', idl.domString),
    execute: idl.required(conversion, from, name, 'execute', (given, key) => idl.callback(conversion, given, key)),
    inputSchema: idl.optional(from, 'inputSchema', (given, key) => idl.object(conversion, given, key)),
    name: idl.required(conversion, from, name, 'name', idl.domString),
    title: idl.optional(from, 'title', idl.usvString) ?? '',
  };
}

const signalOf = (conversion: Conversion, from: object): AbortSignal | undefined =>
  idl.optional(from, 'signal', (given, key) => idl.abortSignal(conversion, given, key));

const originsOf = (conversion: Conversion, from: object, key: string): readonly string[] =>
  idl.optional(from, key, (given) => idl.sequence(conversion, given, key, idl.usvString)) ?? [];

export interface RegisterOptions {
  readonly exposedTo: readonly string[];
  readonly signal: AbortSignal | undefined;
}

export function registerOptions(conversion: Conversion, value: unknown): RegisterOptions {
  const from = idl.dictionary(conversion, value, 'ModelContextRegisterToolOptions');
  return { exposedTo: originsOf(conversion, from, 'exposedTo'), signal: signalOf(conversion, from) };
}

export const fromOrigins = (conversion: Conversion, value: unknown): readonly string[] =>
  originsOf(conversion, idl.dictionary(conversion, value, 'ModelContextGetToolOptions'), 'fromOrigins');

export const executeSignal = (conversion: Conversion, value: unknown): AbortSignal | undefined =>
  signalOf(conversion, idl.dictionary(conversion, value, 'ModelContextExecuteToolOptions'));

/** What executeTool needs of a RegisteredTool. */
export interface ToolReference {
  readonly name: string;
  readonly origin: string;
  readonly window: Window;
}

/** https://webmachinelearning.github.io/webmcp/#dictdef-registeredtool */
export function toolReference(conversion: Conversion, value: unknown): ToolReference {
  const type = 'RegisteredTool';
  const from = idl.dictionary(conversion, value, type);
  idl.optional(from, 'annotations', (given) => annotationsOf(conversion, given));
  idl.required(conversion, from, type, 'description', idl.domString);
  idl.optional(from, 'inputSchema', (given, key) => idl.object(conversion, given, key));
  const name = idl.required(conversion, from, type, 'name', idl.domString);
  const origin = idl.required(conversion, from, type, 'origin', idl.usvString);
  idl.optional(from, 'title', idl.domString);
  const window = idl.required(conversion, from, type, 'window', (given, key) => {
    if (isWindow(given)) return given;
    throw idl.typeError(conversion, `'${key}' is not a Window.`);
  });
  return { name, origin, window };
}

/**
 * The input as JSON text.
 * Deviates from the spec: the JSON text of an object or array is taken as that input; agents of older drafts send it.
 */
export function inputText(conversion: Conversion, value: unknown): string {
  if (value === undefined) return '{}';
  const input = typeof value === 'string' ? parsed(conversion, value) : value;
  if (idl.isObject(input)) return serialize(conversion, input, 'The input');
  throw idl.typeError(conversion, 'The input is not an object, nor the JSON text of one.');
}

function parsed({ realm }: Conversion, text: string): unknown {
  try {
    return realm.parse(text);
  } catch {
    return undefined;
  }
}

/** https://infra.spec.whatwg.org/#serialize-a-javascript-value-to-a-json-string */
export function serialize(conversion: Conversion, value: object, name: string): string {
  const text = conversion.realm.stringify(value);
  if (text !== undefined) return text;
  throw idl.typeError(conversion, `${name}: toJSON() returns undefined.`);
}

/** The JSON text of a tool's schema; empty if it has none. */
export const schemaText = (conversion: Conversion, { inputSchema }: ToolInit): string =>
  inputSchema ? serialize(conversion, inputSchema, 'inputSchema') : '';
