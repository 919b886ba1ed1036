import { isWindow } from '../frames/realm.js';
import { origins, serialize, toolAnnotations } from '../idl/dictionaries.js';
import * as idl from '../idl/web-idl.js';
import type { Conversion } from '../idl/web-idl.js';

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
