import type { ToolAnnotations } from '../../webmcp.js';
import { isWindow } from '../frames/realm.js';
import * as idl from './web-idl.js';
import type { Conversion } from './web-idl.js';

/** A converted ModelContextTool. Web IDL reads the members in the order of their names. */
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
    annotations: idl.optional(from, 'annotations', (member) => annotationsOf(conversion, member)),
    description: idl.required(conversion, from, name, 'description', idl.domString),
    execute: idl.required(conversion, from, name, 'execute', (member, key) => idl.callback(conversion, member, key)),
    inputSchema: idl.optional(from, 'inputSchema', (member, key) => idl.object(conversion, member, key)),
    name: idl.required(conversion, from, name, 'name', idl.domString),
    title: idl.optional(from, 'title', idl.usvString) ?? '',
  };
}

const signalOf = (conversion: Conversion, from: object): AbortSignal | undefined =>
  idl.optional(from, 'signal', (member, key) => idl.abortSignal(conversion, member, key));

const originsOf = (conversion: Conversion, from: object, key: string): readonly string[] =>
  idl.optional(from, key, (member) => idl.sequence(conversion, member, key, idl.usvString)) ?? [];

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

/** The members of a RegisteredTool that executeTool uses. */
export interface ToolReference {
  readonly name: string;
  readonly origin: string;
  readonly window: Window;
}

/** https://webmachinelearning.github.io/webmcp/#dictdef-registeredtool */
export function toolReference(conversion: Conversion, value: unknown): ToolReference {
  const type = 'RegisteredTool';
  const from = idl.dictionary(conversion, value, type);
  idl.optional(from, 'annotations', (member) => annotationsOf(conversion, member));
  idl.required(conversion, from, type, 'description', idl.domString);
  idl.optional(from, 'inputSchema', (member, key) => idl.object(conversion, member, key));
  const name = idl.required(conversion, from, type, 'name', idl.domString);
  const origin = idl.required(conversion, from, type, 'origin', idl.usvString);
  idl.optional(from, 'title', idl.domString);
  const window = idl.required(conversion, from, type, 'window', (member, key) => {
    if (isWindow(member)) return member;
    throw idl.typeError(conversion, `'${key}' is not a Window.`);
  });
  return { name, origin, window };
}

/**
 * Converts the input to JSON text.
 * Deviates from the spec: the input may be the JSON text of an object or array, as in the older drafts.
 */
export function inputText(conversion: Conversion, value: unknown): string {
  if (value === undefined) return '{}';
  const input = typeof value === 'string' ? parsed(conversion, value) : value;
  if (idl.isObject(input)) return serialize(conversion, input, 'The input');
  throw idl.typeError(conversion, 'The input is neither an object nor the JSON text of one.');
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

/** The JSON text of a tool's schema; empty if the tool has no schema. */
export const schemaText = (conversion: Conversion, { inputSchema }: ToolInit): string =>
  inputSchema ? serialize(conversion, inputSchema, 'inputSchema') : '';
