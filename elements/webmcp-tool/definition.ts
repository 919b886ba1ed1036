import { checkToolTexts, enumeratedValue, responseModes } from '../../src/compiler/tool-element/check-element.js';
import { formSelectorOf, type FormSelector } from '../../src/compiler/tool-element/form-selector.js';
import {
  declaredSchema,
  ignoreParams,
  namedParams as readNamedParams,
  type ElementReader,
} from '../../src/compiler/tool-element/declared-schema.js';
import type { ToolAnnotations, ToolAttribute } from '../../src/index.js';
import { isRecord } from '../../src/json.js';
import { error, warning, type Report } from './diagnostics.js';
import type { FormSpec } from './form/form-tool.js';
import { pageOptionsOf } from './model-context.js';

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
function enumeratedOption<const Name extends string, const Value extends string>(
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

type ToolProperties = HTMLElement &
  Readonly<Record<'name' | 'description' | 'tooltitle' | 'submitter', string>> &
  Readonly<Record<'autosubmit' | 'optional', boolean>> &
  Parameters<typeof annotationsOf>[0];

export const selectorOf = (element: Element): FormSelector => formSelectorOf((name) => element.getAttribute(name));

/** The form of a `<webmcp-tool>` and its annotations, which are undefined if they are invalid. */
export function formSpecOf(element: ToolProperties, isValid: boolean, report: Report): FormSpec {
  const params = namedParams(element, report);
  const descriptions = [...params].map(([name, param]) => [name, param.getAttribute('description') ?? ''] as const);
  const form = new Map<ToolAttribute, string>([
    ['toolname', element.name],
    ['tooldescription', element.description],
    ['tooltitle', element.tooltitle],
  ]);
  if (element.autosubmit) form.set('toolautosubmit', '');
  if (element.submitter) form.set('data-webmcp-submitter', element.submitter);
  const { response } = enumeratedOption(element, 'response', responseModes, report);
  if (response) form.set('data-webmcp-response', response);
  const texts = { form, params: new Map(descriptions.filter(([, text]) => text !== '')) };
  const own = enumeratedOption(element, 'profile', ['chromium', 'precise', 'portable'], report);
  const { sensitive, ...page } = pageOptionsOf(element.ownerDocument);
  return {
    selector: selectorOf(element),
    isOptional: element.optional,
    options: {
      ...page,
      ...(!own.profile && sensitive && { sensitive }), // a profile of the element has its own default
      ...own,
      ...enumeratedOption(element, 'sensitive', ['include', 'exclude'], report),
      ...annotationsOf(element),
    },
    texts: isValid ? texts : undefined,
    names: [...params.keys()],
  };
}
