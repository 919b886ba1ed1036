import { toolName } from '../../compiler/diagnostics.js';
import { stripEnds } from '../../compiler/html/text.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';
import type { Found, ToolRule } from '../page/context.js';
import type { Fix } from '../finding.js';
import { attributeOf, attributeRange, placeOfRange, spellings } from '../page/place.js';
import { editDistance } from '../config/nearest.js';

const ofForms = ['toolname', 'tooldescription', 'tooltitle', 'toolautosubmit'];
const ofControls = ['toolparamdescription', 'toolparamschema'];
const all = [...ofForms, ...ofControls];

/** How annotations are written. */
export const annotationRules: ToolRule = function* ({ element, controls, form }) {
  yield* ofElement(element, ofForms);
  for (const [index, control] of controls.entries()) {
    const parameter = form.controls[index]?.name;
    for (const found of ofElement(control, ofControls)) yield { ...found, ...(parameter && { parameter }) };
  }
};

function* ofElement(element: Parse5Element, names: readonly string[]): Generator<Found> {
  for (const { name, value } of element.attrs) {
    if (!name.includes('tool')) continue;
    const plain = name.replace(/^data-/, '');
    if (!names.includes(plain)) yield* unknown(element, name, names);
    else if (name !== plain) yield* redundant(element, plain, value);
    else if (value === '' && plain === 'toolparamdescription') yield* empty(element, name);
  }
}

function* redundant(element: Parse5Element, plain: string, value: string): Generator<Found> {
  const counts = attributeOf(element, plain);
  const name = `data-${plain}`;
  if (counts === undefined) {
    if (value === '' && plain === 'toolparamdescription') yield* empty(element, name);
    return;
  }
  const isSame = counts === value || plain === 'toolautosubmit';
  yield {
    code: 'redundant-annotation',
    message: isSame
      ? `${name} says what ${plain} says: keep one of them.`
      : `${name} says something else than ${plain}, which alone counts: keep one of them.`,
    element,
    attributes: [name],
    fix: isSame ? removal(element, name) : undefined,
  };
}

function* empty(element: Parse5Element, name: string): Generator<Found> {
  const other = name.startsWith('data-') ? name.slice(5) : `data-${name}`;
  const isAlone = attributeOf(element, other) === undefined;
  yield {
    code: 'empty-annotation',
    message: `${name} is empty, which says nothing: say what to give, or take it away.`,
    element,
    attributes: [name],
    fix: isAlone ? removal(element, name) : undefined,
  };
}

/** An attribute that is none of ours, and that its author took for one. */
export function* unknown(element: Parse5Element, name: string, names: readonly string[] = ofForms): Generator<Found> {
  const plain = name.replace(/^data-/, '');
  if (!plain.startsWith('tool')) return;
  const meant = all.find((each) => each === plain) ?? likely(plain);
  if (meant === undefined) return;
  const where = ofForms.includes(meant) ? 'a form' : 'a control, an option or a fieldset';
  const isElsewhere = !names.includes(meant);
  yield {
    code: 'unknown-annotation',
    message: isElsewhere
      ? `${name} says nothing here: it is for ${where}.`
      : `${name} is no annotation: write ${meant}.`,
    element,
    attributes: [name],
  };
}

/** Another library's attribute is not ours to correct: two letters may be wrong, and hyphens. */
function likely(plain: string): string | undefined {
  const bare = plain.replace(/[-_:.]/g, '');
  if (bare.length > 24) return undefined;
  return all.find((each) => each === bare) ?? all.find((each) => editDistance(bare, each) <= (bare.length > 9 ? 2 : 1));
}

/** Takes an attribute away with the white space before it. */
function removal(element: Parse5Element, name: string): Fix | undefined {
  const range = attributeRange(element, name);
  if (!range) return undefined;
  const { startOffset: start, endOffset: end } = range;
  return { title: `Take ${name} away.`, start, end, attribute: name, after: null, place: placeOfRange(range) };
}

/** A toolname that only white space around it keeps from being one. */
export function trimming(element: Parse5Element): Fix | undefined {
  for (const name of spellings('toolname')) {
    const range = attributeRange(element, name);
    const value = attributeOf(element, name);
    if (!range || value === undefined) continue;
    const trimmed = stripEnds(value, /[\t\n\f\r ]/);
    if (trimmed === value || !toolName.test(trimmed)) return undefined;
    const { startOffset: start, endOffset: end } = range;
    return {
      title: `Take the white space around the ${name} away.`,
      start,
      end,
      attribute: name,
      after: trimmed,
      place: placeOfRange(range),
    };
  }
  return undefined;
}
