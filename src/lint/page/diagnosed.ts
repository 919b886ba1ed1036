import type { DiagnosticCode } from '../../compiler/index.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';
import type { Found, ToolRule } from './context.js';
import { spellings } from './place.js';
import { trimming } from '../rules/annotations.js';

/** The attributes that a diagnostic is about; without them it is about the start tag. */
const attributesOf: Partial<Record<DiagnosticCode, readonly string[]>> = {
  'missing-tool-name': spellings('tooldescription'),
  'invalid-tool-name': spellings('toolname'),
  'duplicate-tool-name': spellings('toolname'),
  'missing-tool-description': [...spellings('tooldescription'), ...spellings('toolname')],
  'duplicate-parameter-name': ['name'],
  'unreachable-required-control': ['required'],
  'invalid-pattern': ['pattern'],
  'unsayable-pattern': ['pattern'],
  'invalid-parameter-schema': ['toolparamschema'],
  'form-not-found': ['for'],
  'form-is-annotated': ['for'],
  'form-is-taken': ['for'],
  'unknown-control': ['name'],
  'unknown-profile': ['profile'],
  'unknown-sensitive': ['sensitive'],
};

/** The compiler's diagnostics as findings, with the attributes that they are about. */
export const diagnosed: ToolRule = function* (tool) {
  const { diagnostics, element, formElement = element, controls, params = [] } = tool;
  if (diagnostics.length === 0) return;
  const elements = byTag([element, formElement, ...params, ...controls]);
  for (const { code, severity, message, parameter, location } of diagnostics) {
    const own = location && elements.get(`${location.line}:${location.column}`);
    const found: Found = {
      code,
      severity,
      message,
      element: own ?? element,
      attributes: attributesOf[code] ?? [],
      ...(parameter && { parameter }),
    };
    yield code === 'invalid-tool-name' ? { ...found, fix: trimming(element) } : found;
  }
};

const byTag = (elements: readonly Parse5Element[]): ReadonlyMap<string, Parse5Element> =>
  new Map(
    elements.map((element) => {
      const at = element.sourceCodeLocation;
      return [`${at?.startLine}:${at?.startCol}`, element] as const;
    }),
  );
