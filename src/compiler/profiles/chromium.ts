import type { JsonSchema } from '../../json-schema.js';
import type { ControlDescription, FormDescription, LabelText, Mutable } from '../description.js';
import { groupBy } from '../../group-by.js';
import { isMultiple } from '../html/decimal.js';
import { nameSet } from '../html/elements.js';
import { isValidPattern } from '../html/pattern.js';
import { stripEnds } from '../html/text.js';
import { numberRange, stepOf } from '../parameters/numbers.js';
import {
  controlsOf,
  indexControls,
  isMutable,
  unitOf,
  type IndexedControl,
  type ControlGroup,
} from '../parameters/parameters.js';
import type { ParameterSchema, Profile } from './synthesize.js';

/**
 * The schemas that Chromium 156 emits, value for value and in its key order, bugs included, so that a page has the same
 * tools in every browser.
 */
export const chromium: Profile = {
  sensitive: 'include',
  root: {},
  readsLegends: false,
  excludesByMeaning: false,
  copiesPatterns: true,
  parameters: (form, sensitive) =>
    [...byName(form)].flatMap(([name, members]) => {
      if (!isParameter(members)) return [];
      if (sensitive === 'exclude' && members.some(({ control }) => control.sensitive)) return [];
      return { name, units: [unitOf(members)] };
    }),
  schema: (form, { units: [unit] }) => describe(form, unit),
  collisions: (form) =>
    new Set(
      [...byName(form).values()]
        .filter((members) => members.length > 1 && !isGroup(members))
        .flat()
        .map(({ index }) => index),
    ),
};

const byName = (form: FormDescription): ReadonlyMap<string, readonly [IndexedControl, ...IndexedControl[]]> =>
  groupBy(
    indexControls(form).filter(({ control }) => isCounted(control)),
    ({ control }) => trim(control.name),
  );

/**
 * Whether Chromium counts a control among those with its name. It ignores object elements, and counts outputs and
 * fieldsets even if they are disabled.
 */
const isCounted = (control: ControlDescription): boolean =>
  control.type !== 'object' && (control.type === 'output' || control.type === 'fieldset' || isMutable(control));

/** Chromium trims ASCII white space and the Unicode spaces of the bidirectional class WS, but not U+00A0. */
const trim = (text: string): string => stripEnds(text, /[\t-\r \u1680\u2000-\u200a\u2028\u205f\u3000]/);

const ignoredTypes = nameSet('file submit image reset button output fieldset custom');

/** Controls that share a name are ignored, unless all are checkboxes or all are radio buttons. */
function isParameter(members: readonly [IndexedControl, ...IndexedControl[]]): boolean {
  const [{ control }] = members;
  if (members.length > 1) return isGroup(members);
  return !ignoredTypes.has(control.type) && (control.type !== 'hidden' || annotationOf(control) !== undefined);
}

const isGroup = (members: readonly IndexedControl[]): boolean =>
  ['checkbox', 'radio'].some((type) => members.every(({ control }) => control.type === type));

function describe(form: FormDescription, unit: ControlGroup): ParameterSchema {
  const controls = controlsOf(form, unit);
  const [control] = controls as [ControlDescription];
  const words = controls.length > 1 ? groupTexts(form, controls) : controlTexts(control);
  const description = dateDescription(control, joined(words));
  const schema: Mutable<JsonSchema> = valueSchema(unit, controls);
  const pattern = patternOf(control);
  if (pattern !== undefined) schema.pattern = pattern;
  if (description) schema.description = description;
  return {
    schema,
    required: controls.some(({ attributes }) => attributes.required !== undefined),
    words,
  };
}

function valueSchema(unit: ControlGroup, controls: readonly ControlDescription[]): JsonSchema {
  const [control] = controls as [ControlDescription];
  switch (unit.kind) {
    case 'boolean':
      return { type: 'boolean' };
    case 'number':
      return numberSchema(control);
    case 'radios':
      return choiceSchema(memberChoices(controls));
    case 'checkboxes':
      return { type: 'array', items: choiceSchema(memberChoices(controls)), uniqueItems: true };
    case 'select-one':
      return choiceSchema(optionChoices(control));
    case 'select-multiple':
      return { type: 'array', items: choiceSchema(optionChoices(control)), uniqueItems: true };
    default:
      return textSchema(control);
  }
}

interface Choice {
  readonly const: string;
  readonly title: string | undefined;
}

const choiceSchema = (choices: readonly Choice[]): JsonSchema => ({
  type: 'string',
  anyOf: choices.map(({ const: value, title }) =>
    title === undefined ? { type: 'string', const: value } : { type: 'string', const: value, title },
  ),
  enum: choices.map((choice) => choice.const),
});

const memberChoices = (controls: readonly ControlDescription[]): readonly Choice[] =>
  controls.map((control) => {
    const title = joined(labelsOf(control));
    return { const: control.attributes.value ?? 'on', title: title || undefined };
  });

const optionChoices = ({ options = [] }: ControlDescription): readonly Choice[] =>
  options.map(({ value, text }) => ({ const: value, title: text }));

function numberSchema(control: ControlDescription): JsonSchema {
  const { minimum, maximum, step, base } = numberRange(control);
  const multipleOf = step === 'any' && control.type === 'range' ? 1 : step;
  const schema: Mutable<JsonSchema> = { type: 'number' };
  if (minimum !== undefined) schema.minimum = minimum;
  if (maximum !== undefined) schema.maximum = maximum;
  if (multipleOf !== 'any' && isMultiple(base, multipleOf)) schema.multipleOf = multipleOf;
  return schema;
}

const month = '^[0-9]{4}-(0[1-9]|1[0-2])';
const minutes = '([01][0-9]|2[0-3]):[0-5][0-9]';

function textSchema({ type, attributes }: ControlDescription): JsonSchema {
  switch (type) {
    case 'date':
      return { type: 'string', format: 'date' };
    case 'month':
      return { type: 'string', format: `${month}$` };
    case 'week':
      return { type: 'string', format: '^[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])$' };
    case 'time':
      return { type: 'string', format: `^${minutes}${seconds(attributes.step)}$` };
    case 'datetime-local':
      return { type: 'string', format: `${month}-[0-9]{2}T${minutes}${seconds(attributes.step)}$` };
    case 'color':
      return { type: 'string', format: '^#[0-9a-zA-Z]{6}$' };
    default:
      return { type: 'string' };
  }
}

function seconds(attribute: string | undefined): string {
  const step = stepOf(attribute, 60);
  if (step === 'any' || step >= 60) return '';
  return step < 1 ? '(:[0-5][0-9](\\.[0-9]{1,3})?)?' : '(:[0-5][0-9])?';
}

const patternTypes = nameSet('text search tel url email password number hidden');

const patternOf = ({ type, attributes: { pattern } }: ControlDescription): string | undefined =>
  pattern !== undefined && patternTypes.has(type) && isValidPattern(pattern) ? pattern : undefined;

const annotationOf = ({ words }: { readonly words: readonly LabelText[] }): LabelText | undefined =>
  words.find(({ source }) => source === 'toolparamdescription');

function controlTexts(control: ControlDescription): readonly LabelText[] {
  const own = annotationOf(control);
  if (own) return [own];
  const labels = labelsOf(control);
  if (joined(labels)) return labels;
  return control.words.filter(({ source }) => source === 'aria-description');
}

const labelsOf = ({ words }: ControlDescription): readonly LabelText[] => words.filter(isLabel);

/** The annotation of the nearest fieldset, if it is the same one for all controls. */
function groupTexts(form: FormDescription, controls: readonly ControlDescription[]): readonly LabelText[] {
  const [nearest, ...others] = new Set(controls.map((control) => nearestFieldset(form, control)));
  const words =
    nearest === undefined || others.length > 0 ? undefined : annotationOf({ words: form.groups[nearest]?.words ?? [] });
  return words ? [words] : [];
}

const nearestFieldset = (form: FormDescription, { groups }: ControlDescription): number | undefined =>
  groups.find((index) => form.groups[index]?.element === 'fieldset' && !form.groups[index].outside);

const isLabel = ({ source }: LabelText): boolean => source === 'label' || source === 'outside-label';

const joined = (words: readonly LabelText[]): string =>
  words.map((word) => (isLabel(word) ? trim(word.text) : word.text)).join('; ');

const dateHint = "Dates MUST be provided in 'YYYY-MM-DD' format.";

function dateDescription({ type }: ControlDescription, description: string): string {
  if (type !== 'date') return description;
  return description ? `${description} (${dateHint})` : dateHint;
}
