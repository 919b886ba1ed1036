import { toolNamePattern } from '../../tool-name.js';
import { escapeAttribute, stripEnds } from '../../compiler/html/text.js';
import type { FormSuggestion, SensitiveForm } from '../../suggest/index.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';
import { editDistance } from '../edit-distance.js';
import { attributeOf, attributeRange, placeOfRange, spellings } from '../page/place.js';
import { atControl, defineRules, type Fix, type LintedTool, type Violation } from './rule.js';

const formAnnotations = ['toolname', 'tooldescription', 'tooltitle', 'toolautosubmit'];
const controlAnnotations = ['toolparamdescription', 'toolparamschema'];
const annotations = [...formAnnotations, ...controlAnnotations];

export const annotationRules = defineRules({
  'redundant-annotation': {
    level: 'warning',
    summary: 'An element has both spellings of an annotation.',
    check: (tool) => checkAttributes(tool, redundantAnnotation),
  },
  'empty-annotation': {
    level: 'warning',
    summary: 'An annotation is empty.',
    check: (tool) => checkAttributes(tool, emptyAnnotation),
  },
  'unknown-annotation': {
    level: 'warning',
    summary: 'An attribute looks like an annotation but has no effect.',
    check: (tool) => checkAttributes(tool, unknownAnnotation),
    *checkForm(form) {
      for (const { name } of form.attrs)
        if (/^(?:data-)?tool/.test(name)) yield* unknownAnnotation({ element: form, name, allowed: formAnnotations });
    },
  },
  'form-without-tool': {
    level: 'off',
    summary: 'A form has no annotations.',
    *checkForm(form, page) {
      if (isDialog(form)) return;
      yield { element: form, ...withoutTool(page.suggest(form)) };
    },
  },
});

/** Whether a form closes a dialog instead of sending a request. */
export const isDialog = (form: Parse5Element): boolean => attributeOf(form, 'method')?.toLowerCase() === 'dialog';

const sensitiveForms: Readonly<Record<SensitiveForm, string>> = {
  login: 'a login',
  'sign-up': 'a registration',
  payment: 'a payment',
  'password-change': 'a change of a password',
  'password-reset': 'a request for a password reset',
  password: 'a form with a password',
  deletion: 'a deletion',
};

function withoutTool(found: FormSuggestion<unknown> | null): Pick<Violation, 'message' | 'suggestion'> {
  const problem = 'The form has no annotations, so it is not a tool.';
  if (!found) return { message: `${problem} Add toolname and tooldescription.` };
  const { confidence, sensitive } = found;
  const [toolName, toolDescription] = [found.toolName.value, found.toolDescription.value];
  const attributes = [`toolname="${toolName}"`, `tooldescription="${escapeAttribute(toolDescription)}"`];
  const advice = sensitive
    ? `It is ${sensitiveForms[sensitive]}, which a person should submit. If agents may fill it in, add ${attributes.join(' and ')}.`
    : confidence === 'low'
      ? `The page barely describes it. Rewrite this suggestion: ${attributes.join(' ')}.`
      : `Add ${attributes.join(' and ')}.`;
  const suggestion = { toolName, toolDescription, confidence, ...(sensitive && { sensitive }) };
  return { message: `${problem} ${advice}`, suggestion };
}

interface ToolAttribute {
  readonly element: Parse5Element;
  readonly name: string;
  readonly allowed: readonly string[];
}

type AttributeCheck = (attribute: ToolAttribute) => Iterable<Violation>;

function* checkAttributes(tool: LintedTool, check: AttributeCheck): Generator<Violation> {
  yield* checkElement(tool.element, formAnnotations, check);
  for (const [index, control] of tool.controls.entries())
    for (const violation of checkElement(control, controlAnnotations, check))
      yield { ...violation, ...atControl(tool, index) };
}

function* checkElement(
  element: Parse5Element,
  allowed: readonly string[],
  check: AttributeCheck,
): Generator<Violation> {
  for (const { name } of element.attrs) if (name.includes('tool')) yield* check({ element, name, allowed });
}

function* redundantAnnotation({ element, name, allowed }: ToolAttribute): Generator<Violation> {
  const plain = name.replace(/^data-/, '');
  if (name === plain || !allowed.includes(plain)) return;
  const value = attributeOf(element, plain);
  if (value === undefined) return;
  const isSame = value === attributeOf(element, name) || plain === 'toolautosubmit';
  const problem = isSame ? `${name} repeats ${plain}` : `${name} is ignored, because ${plain} has another value`;
  const fix = isSame ? removal(element, name) : undefined;
  yield { message: `${problem}. Remove one of them.`, element, attributes: [name], fix };
}

function* emptyAnnotation({ element, name, allowed }: ToolAttribute): Generator<Violation> {
  const [plain, prefixed] = spellings('toolparamdescription');
  if ((name !== plain && name !== prefixed) || !allowed.includes(plain) || attributeOf(element, name) !== '') return;
  const isAlone = attributeOf(element, name === plain ? prefixed : plain) === undefined;
  if (name === prefixed && !isAlone) return;
  const message = `${name} is empty, so it has no effect. Describe the value, or remove the attribute.`;
  yield { message, element, attributes: [name], fix: isAlone ? removal(element, name) : undefined };
}

function* unknownAnnotation({ element, name, allowed }: ToolAttribute): Generator<Violation> {
  const plain = name.replace(/^data-/, '');
  if (!plain.startsWith('tool') || allowed.includes(plain)) return;
  const meant = annotations.find((each) => each === plain) ?? findSimilar(plain);
  if (meant === undefined) return;
  const owner = formAnnotations.includes(meant) ? 'a form' : 'a control, an option or a fieldset';
  const message = allowed.includes(meant)
    ? `${name} is not an annotation. Use ${meant}.`
    : `${name} has no effect here. Move it to ${owner}.`;
  yield { message, element, attributes: [name] };
}

/** Finds the annotation with a similar name. Ignores punctuation and up to two typos, so as not to match other libraries. */
function findSimilar(plain: string): string | undefined {
  const bare = plain.replace(/[-_:.]/g, '');
  if (bare.length > 24) return undefined;
  const typos = bare.length > 9 ? 2 : 1;
  return annotations.find((each) => each === bare) ?? annotations.find((each) => isSimilar(bare, each, typos));
}

const isSimilar = (one: string, other: string, typos: number): boolean =>
  Math.abs(one.length - other.length) <= typos && editDistance(one, other) <= typos;

const removal = (element: Parse5Element, name: string): Fix | undefined =>
  fixAttribute(element, name, null, `Remove ${name}.`);

/** Removes the white space around a toolname, if that makes it valid. */
export function trimToolName(element: Parse5Element): Fix | undefined {
  const name = spellings('toolname').find((spelling) => attributeOf(element, spelling) !== undefined);
  if (name === undefined) return undefined;
  const value = attributeOf(element, name) ?? '';
  const trimmed = stripEnds(value, /[\t\n\f\r ]/);
  if (trimmed === value || !toolNamePattern.test(trimmed)) return undefined;
  return fixAttribute(element, name, trimmed, `Remove the white space around the ${name}.`);
}

function fixAttribute(element: Parse5Element, name: string, after: string | null, title: string): Fix | undefined {
  const range = attributeRange(element, name);
  if (!range) return undefined;
  const { startOffset: start, endOffset: end } = range;
  return { title, start, end, attribute: name, after, place: placeOfRange(range) };
}
