import type { Parse5Element } from '../../parse5/parse5-tree.js';
import type { ToolReading } from '../../site/tools/compile-form.js';
import { attributeOf, spellings, type Place } from './place.js';

/** The value of an annotation, which agents read and people do not see. */
export interface AnnotationText {
  readonly annotation: 'tooldescription' | 'tooltitle' | 'toolparamdescription';
  readonly text: string;
  readonly element: Parse5Element;
  readonly attributes?: readonly string[];
  readonly place?: Place | undefined;
  /** The index of the control that the text describes. */
  readonly control?: number;
  readonly parameter?: string;
}

const annotation = 'toolparamdescription';
const attributes = spellings(annotation);

export function* annotationTexts(tool: ToolReading): Generator<AnnotationText> {
  const { element } = tool;
  const { description, title } = tool.form.tool;
  if (description)
    yield { annotation: 'tooldescription', text: description, element, attributes: spellings('tooldescription') };
  if (title) yield { annotation: 'tooltitle', text: title, element, attributes: spellings('tooltitle') };
  for (const { words } of tool.form.groups) {
    const [first] = words;
    if (first?.source === annotation) yield { annotation, text: first.text, element, place: first.location };
  }
  yield* controlTexts(tool);
  if (!tool.formElement) yield* paramTexts(tool);
}

/** The `toolparamdescription` is the first string of a control. */
function* controlTexts({ form, element, controls }: ToolReading): Generator<AnnotationText> {
  for (const [control, { name, words, options = [] }] of form.controls.entries()) {
    const where = { annotation, element: controls[control] ?? element, control, parameter: name } as const;
    const [first] = words;
    if (first?.source === annotation) yield { ...where, text: first.text, attributes };
    for (const { description } of options) if (description) yield { ...where, text: description };
  }
}

function* paramTexts({ params = [] }: ToolReading): Generator<AnnotationText> {
  for (const param of params) {
    const text = param.tagName === 'webmcp-param' ? attributeOf(param, 'description') : undefined;
    if (text) yield { annotation, text, element: param, attributes };
  }
}
