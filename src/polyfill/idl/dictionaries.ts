import type { ToolAnnotations } from '../../webmcp.js';
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

export const toolAnnotations: Convert<ToolAnnotations> = (value, _, conversion) => {
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

export const origins = idl.sequence(idl.usvString);

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

/** https://infra.spec.whatwg.org/#serialize-a-javascript-value-to-a-json-string */
export function serialize(conversion: Conversion, value: object, name: string): string {
  const text = conversion.realm.stringify(value);
  if (text !== undefined) return text;
  throw idl.typeError(conversion, `${name}: toJSON() returns undefined.`);
}

/** The JSON text of a tool's schema; empty if the tool has no schema. */
export const schemaText = (conversion: Conversion, { inputSchema }: ToolInit): string =>
  inputSchema ? serialize(conversion, inputSchema, 'inputSchema') : '';
