import type { ToolAnnotations } from '../../webmcp.js';
import { isWindow } from '../frames/realm.js';
import * as idl from './web-idl.js';
import type { Conversion, Convert } from './web-idl.js';

/** A converted ModelContextTool. Its members are in the order in which Web IDL reads them. */
export interface ToolInit {
  readonly annotations: ToolAnnotations | undefined;
  readonly description: string;
  readonly execute: () => unknown;
  readonly inputSchema: object | undefined;
  readonly name: string;
  readonly title: string;
}

const toolAnnotations: Convert<ToolAnnotations> = (value, _, conversion) => {
  const from = idl.dictionary(conversion, value, 'ToolAnnotations');
  const hint = (key: string): boolean => from.optional(key, Boolean) ?? false;
  return {
    consequentialHint: hint('consequentialHint'),
    debugging: hint('debugging'),
    readOnlyHint: hint('readOnlyHint'),
    untrustedContentHint: hint('untrustedContentHint'),
  };
};

/** https://webmachinelearning.github.io/webmcp/#dictdef-modelcontexttool */
export function toolInit(conversion: Conversion, value: unknown): ToolInit {
  const from = idl.dictionary(conversion, value, 'ModelContextTool');
  return {
    annotations: from.optional('annotations', toolAnnotations),
    description: from.required('description', idl.domString),
    execute: from.required('execute', idl.callback),
    inputSchema: from.optional('inputSchema', idl.object),
    name: from.required('name', idl.domString),
    title: from.optional('title', idl.usvString) ?? '',
  };
}

const origins = idl.sequence(idl.usvString);

export interface RegisterOptions {
  readonly exposedTo: readonly string[];
  readonly signal: AbortSignal | undefined;
}

export function registerOptions(conversion: Conversion, value: unknown): RegisterOptions {
  const from = idl.dictionary(conversion, value, 'ModelContextRegisterToolOptions');
  return {
    exposedTo: from.optional('exposedTo', origins) ?? [],
    signal: from.optional('signal', idl.abortSignal),
  };
}

export const fromOrigins = (conversion: Conversion, value: unknown): readonly string[] =>
  idl.dictionary(conversion, value, 'ModelContextGetToolOptions').optional('fromOrigins', origins) ?? [];

export const executeSignal = (conversion: Conversion, value: unknown): AbortSignal | undefined =>
  idl.dictionary(conversion, value, 'ModelContextExecuteToolOptions').optional('signal', idl.abortSignal);

export interface ToolReference {
  readonly name: string;
  readonly origin: string;
  readonly window: Window;
}

/** https://webmachinelearning.github.io/webmcp/#dictdef-registeredtool */
export function toolReference(conversion: Conversion, value: unknown): ToolReference {
  const from = idl.dictionary(conversion, value, 'RegisteredTool');
  from.optional('annotations', toolAnnotations);
  from.required('description', idl.domString);
  from.optional('inputSchema', idl.object);
  const name = from.required('name', idl.domString);
  const origin = from.required('origin', idl.usvString);
  from.optional('title', idl.domString);
  const window = from.required('window', (member, key) => {
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
function serialize(conversion: Conversion, value: object, name: string): string {
  const text = conversion.realm.stringify(value);
  if (text !== undefined) return text;
  throw idl.typeError(conversion, `${name}: toJSON() returns undefined.`);
}

/** The JSON text of a tool's schema; empty if the tool has no schema. */
export const schemaText = (conversion: Conversion, { inputSchema }: ToolInit): string =>
  inputSchema ? serialize(conversion, inputSchema, 'inputSchema') : '';
