import {
  declaredSchema,
  ignoreParams,
  namedParams as readNamedParams,
  type ElementReader,
} from '../../src/compiler/tool-element/declared-schema.js';
import { checkToolTexts, enumeratedValue } from '../../src/compiler/tool-element/check-element.js';
import type { ToolAnnotations } from '../../src/index.js';
import { isRecord } from '../../src/json.js';
import { error, warning, type Report } from './diagnostics.js';

const reader: ElementReader<Element> = {
  children: ({ children }) => [...children],
  localName: ({ localName }) => localName,
  attribute: (element, name) => element.getAttribute(name),
  text: ({ textContent }) => textContent,
};

/** The first `<webmcp-param>` of each name. */
export const namedParams = (tool: Element, report: Report): ReadonlyMap<string, Element> =>
  readNamedParams(reader, tool, report);

export const checkTexts = ({ name, description }: Record<'name' | 'description', string>, report: Report): boolean =>
  checkToolTexts(name, description, (code, message) =>
    report(error(code, message, name && code === 'missing-tool-description' ? { tool: name } : {})),
  );

/** Reads an enumerated attribute into an option with the same name. Empty if it is missing or invalid. */
export function enumeratedOption<const Name extends string, const Value extends string>(
  element: Element,
  name: Name,
  values: readonly Value[],
  report: Report,
): { readonly [Key in Name]?: Value } {
  const value = enumeratedValue(name, element.getAttribute(name), values, (code, message) =>
    report(warning(code, message)),
  );
  return (value ? { [name]: value } : {}) as { readonly [Key in Name]?: Value };
}

/** The annotations of a tool; empty if the element has no hint attribute. */
export function annotationsOf(
  element: Record<'readonlyHint' | 'consequentialHint' | 'untrustedContentHint', boolean>,
): { readonly annotations?: Partial<ToolAnnotations> } {
  const { readonlyHint: readOnlyHint, consequentialHint, untrustedContentHint } = element;
  const hasHint = readOnlyHint || consequentialHint || untrustedContentHint;
  return hasHint ? { annotations: { readOnlyHint, consequentialHint, untrustedContentHint } } : {};
}

/** Reads the input schema from the property, the script or the parameters. */
export function inputSchemaOf(tool: Element, property: unknown, report: Report): object | undefined {
  if (property === undefined) return declaredSchema(reader, tool, report);
  ignoreParams(reader, tool, 'the property inputSchema', report);
  return copyOf(property, report);
}

/** Copies the schema, so that later changes by scripts do not affect the tool. */
function copyOf(schema: unknown, report: Report): object | undefined {
  const code = 'invalid-schema';
  try {
    const copy: unknown = isRecord(schema) && JSON.parse(JSON.stringify(schema));
    if (isRecord(copy)) return copy;
    report(error(code, 'The property inputSchema is not an object. Set a JSON Schema, or undefined to remove it.'));
  } catch (cause) {
    report(error(code, `The property inputSchema cannot be serialized as JSON: ${String(cause)}.`));
  }
  return undefined;
}
