import type { ControlDescription, LabelText, TextSource } from '../../compiler/description.js';
import { isRecord, parseJson } from '../../json.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';
import type { ToolReading } from '../../site/tools/compile-form.js';
import type { Audience } from '../../wording/instructions.js';
import type { LintedTool } from '../rules/rule.js';
import { attributeOf, spellings, type Place } from './place.js';

/** The value of an annotation. Agents read it, and people do not see it. */
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

/** A string that agents receive. */
export interface ToolText extends Omit<AnnotationText, 'annotation'> {
  /** The text's name in messages, after `The`. */
  readonly name: string;
  readonly audience: Audience;
}

const sourceNames: Readonly<Record<Exclude<TextSource, 'toolparamdescription'>, string>> = {
  label: 'label',
  'outside-label': 'label',
  'form-label': 'label',
  'aria-label': 'aria-label',
  'aria-labelledby': 'text of aria-labelledby',
  title: 'title attribute',
  placeholder: 'placeholder',
  legend: 'legend',
  text: 'text of the button',
  nearby: 'text beside the control',
  question: 'text before the choices',
  section: 'heading above the control',
  'aria-description': 'aria-description',
  'aria-describedby': 'text of aria-describedby',
};

/** Attributes that only screen readers read. */
const unseen: ReadonlySet<TextSource> = new Set(['aria-description']);

/**
 * The strings of a tool: annotations, labels of the page, and strings of the input schema. If several controls share an element
 * or datalist, its strings are listed for the first control.
 */
export function* toolTexts(tool: LintedTool): Generator<ToolText> {
  for (const { annotation: name, ...text } of tool.texts) yield { ...text, name, audience: 'agents' };
  const { element, form } = tool;
  const shared = new Set<unknown>();
  for (const { words } of form.groups) yield* wordTexts(words, { element }, shared);
  for (const [control, description] of form.controls.entries()) {
    const where = { element: tool.controls[control] ?? element, control, parameter: description.name };
    yield* wordTexts(description.words, where, shared);
    yield* valueTexts(description, where, shared);
  }
  yield* schemaTexts(tool);
}

type Where = Pick<ToolText, 'element' | 'control' | 'parameter'>;

function* wordTexts(words: readonly LabelText[], where: Where, shared: Set<unknown>): Generator<ToolText> {
  for (const word of words) {
    const { source, text, visible, location } = word;
    if (source === 'toolparamdescription' || shared.has(word)) continue;
    shared.add(word);
    const isElement = location !== undefined && /(?:label|legend|by)$/.test(source);
    const place = isElement ? { place: location } : { attributes: [source] };
    const found = { ...where, ...place, name: sourceNames[source], audience: audienceOf(source) } as const;
    yield { ...found, text };
    if (visible) yield { ...found, text: visible };
  }
}

const audienceOf = (source: TextSource): Audience => (unseen.has(source) ? 'agents' : 'people');

function* valueTexts(control: ControlDescription, where: Where, shared: Set<unknown>): Generator<ToolText> {
  const suggestions = shared.has(control.suggestions) ? [] : (control.suggestions ?? []);
  shared.add(control.suggestions);
  const texts: readonly (readonly [name: string, text: string | undefined])[] = [
    ['name', control.name.replace(/[_-]+/g, ' ')],
    ['value', control.type === 'hidden' || control.sensitive ? undefined : control.attributes.value],
    ['value', control.defaultText],
    ...(control.options ?? []).flatMap(({ text, label, group, value }) => [
      ['text of an option', text] as const,
      ['label of an option', label] as const,
      ['label of an optgroup', group] as const,
      ['value of an option', value === text ? undefined : value] as const,
    ]),
    ...suggestions.map((text) => ['suggestion', text] as const),
  ];
  for (const [name, text] of texts) if (text) yield { ...where, name, text, audience: 'people' };
}

/** Yields the strings at any depth of the schemas that authors wrote. */
function* schemaTexts({ tool, form, formElement, element, controls, texts }: LintedTool): Generator<ToolText> {
  if (!tool) return;
  const known = new Set(texts.map(({ text }) => text));
  for (const text of formElement ? [] : stringsIn(tool.inputSchema))
    if (!known.has(text)) yield { name: 'schema', text, audience: 'agents', element };
  for (const [control, { attributes }] of form.controls.entries()) {
    const schema = attributes.toolparamschema;
    if (schema === undefined) continue;
    const where = { element: controls[control] ?? element, control, attributes: ['toolparamschema'] };
    for (const text of stringsIn(parseJson(schema)))
      yield { ...where, name: 'toolparamschema', text, audience: 'agents' };
  }
}

/** The strings of a JSON value, and its member names that have several words. */
function* stringsIn(root: unknown): Generator<string> {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') yield value;
    else if (Array.isArray(value)) for (const each of value) pending.push(each);
    else if (isRecord(value))
      for (const [name, each] of Object.entries(value)) {
        if (/[\s_-]/.test(name)) yield name.replace(/[_-]+/g, ' ');
        pending.push(each);
      }
  }
}
