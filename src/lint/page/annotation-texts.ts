import type { Parse5Element } from '../../parse5/parse5-tree.js';
import type { Place } from '../finding.js';
import { attributeOf, spellings } from './place.js';
import type { ToolReading } from '../../site/tools/read-tools.js';

/** A text that agents read and people do not see. */
export interface AnnotationText {
  readonly annotation: 'tooldescription' | 'tooltitle' | 'toolparamdescription';
  readonly text: string;
  readonly element: Parse5Element;
  readonly attributes: readonly string[];
  readonly place?: Place;
  /** The control that it describes. */
  readonly control?: number;
}

/** The texts of a tool's annotations. */
export function annotationTexts(tool: ToolReading): readonly AnnotationText[] {
  const { element } = tool;
  const { description, title } = tool.form.tool;
  const texts: AnnotationText[] = [];
  if (description) texts.push({ annotation: 'tooldescription', text: description, element, attributes: descriptions });
  if (title) texts.push({ annotation: 'tooltitle', text: title, element, attributes: titles });
  addGroups(tool, texts);
  addControls(tool, texts);
  if (!tool.formElement) addParams(tool, texts);
  return texts;
}

const annotation = 'toolparamdescription';
const descriptions = spellings('tooldescription');
const titles = spellings('tooltitle');
const attributes = spellings(annotation);
const nowhere: readonly string[] = [];

function addGroups({ form, element }: ToolReading, texts: AnnotationText[]): void {
  for (const { words } of form.groups) {
    const said = words[0];
    if (said?.source !== annotation) continue;
    texts.push({
      annotation,
      text: said.text,
      element,
      attributes: nowhere,
      ...(said.location && { place: said.location }),
    });
  }
}

/** The annotation is the first of a control's words. */
function addControls({ form, element, controls }: ToolReading, texts: AnnotationText[]): void {
  for (const [control, { words, options }] of form.controls.entries()) {
    const said = words[0];
    const own = controls[control] ?? element;
    if (said?.source === annotation) texts.push({ annotation, text: said.text, element: own, attributes, control });
    for (const { description } of options ?? [])
      if (description) texts.push({ annotation, text: description, element: own, attributes: nowhere, control });
  }
}

/** What a `<webmcp-tool>` without a form says of its parameters. */
function addParams({ params = [] }: ToolReading, texts: AnnotationText[]): void {
  for (const param of params) {
    const text = param.tagName === 'webmcp-param' ? attributeOf(param, 'description') : undefined;
    if (text) texts.push({ annotation, text, element: param, attributes });
  }
}
