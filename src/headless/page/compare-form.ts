import { groupBy } from '../../group-by.js';
import { isFrameworkToken } from '../../compiler/csrf-token.js';
import type { ControlDescription, FormDescription } from '../../compiler/description.js';
import { buttonTypes } from '../../compiler/html/elements.js';
import { defaultButton, isSubmitButton } from '../../compiler/parameters/parameters.js';
import { entryList } from '../../compiler/input/entry-list.js';
import { formState } from '../../compiler/input/form-state.js';
import { preview } from '../../compiler/preview.js';
import { canonicalJson } from '../../json.js';
import { oncePerObject } from '../../lazy.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';
import { fingerprintOf, isFixed, renewedIn } from '../../site/tools/hidden-values.js';
import type { SubmitConfig } from '../config.js';
import { destinationDifference, type FreshNames } from './compare-destination.js';

export interface ComparedForm {
  readonly element: Parse5Element;
  readonly form: FormDescription;
  /** The elements of `form.controls`, in the same order. */
  readonly controls: readonly Parse5Element[];
}

/** The form of the manifest, with the configuration that exempts values from the comparison. */
export interface Expectation {
  readonly known: FormDescription;
  readonly config: SubmitConfig;
}

interface PageUrls {
  readonly pageUrl: string;
  readonly url: string;
}

export const keyOf = ({ type, name }: ControlDescription): string => `${type} ${name}`;

export interface Comparison {
  /** The first difference that prevents a match, as the end of a sentence about the form. */
  readonly difference?: string | undefined;
  /** The visible controls of the page that the manifest lacks. Incomplete if there is a difference. */
  readonly further: readonly ControlDescription[];
}

/**
 * Compares the form of a page with the form of the manifest. The page's form may lack visible controls. It may have additional
 * options and rows, and additional controls that submit no value by themselves.
 */
export function compareForm({ form }: ComparedForm, expected: Expectation, urls: PageUrls): Comparison {
  const { known, config } = expected;
  if (isTooLarge(form)) return different('has too many controls or options');
  const fresh = freshIn(expected);
  const { isFresh } = fresh;
  const difference = destinationDifference({ form: known, pageUrl: urls.pageUrl }, { form, pageUrl: urls.url }, fresh);
  if (difference !== undefined) return different(difference);
  const isCompared = (name: string): boolean => !isFresh(name) && !Object.hasOwn(config.values ?? {}, name);
  const [before, after] = [knownGroups(known), groupsOf(form)];
  for (const [name, group] of before) {
    const found = missingDifference(name, group, after.get(name) ?? [], { isFresh, isCompared });
    if (found !== undefined) return different(found);
  }
  const further = furtherControls(before, after, isFresh);
  const other =
    further.difference ??
    valueDifference(form, further.controls) ??
    dirnameDifference(known, form) ??
    buttonDifference(known, form, isFresh);
  return { difference: other, further: further.controls };
}

const different = (difference: string): Comparison => ({ difference, further: [] });

/** The first control with a `dirname` that differs from the manifest, as the end of a sentence about the form. */
function dirnameDifference(known: FormDescription, form: FormDescription): string | undefined {
  const pairOf = ({ name, attributes: { dirname = '' } }: ControlDescription): string =>
    JSON.stringify([name, dirname]);
  const pairs = new Set(known.controls.map(pairOf));
  const other = form.controls.find((each) => each.attributes.dirname && !pairs.has(pairOf(each)));
  return other && `has another "dirname" at the control ${preview(other.name)}`;
}

/**
 * Removes the visible controls that the manifest lacks, because even an empty value could affect the site. Keeps required
 * controls, choices and rows.
 */
export function withoutFurther(compared: ComparedForm, { further }: Comparison): ComparedForm {
  const left = new Set(further.filter((each) => !isChoice(each) && each.attributes.required === undefined));
  const isKept = compared.form.controls.map((control) => !left.has(control));
  return withControls(compared, (index) => isKept[index] === true);
}

export const withControls = (
  { element, form, controls }: ComparedForm,
  isKept: (index: number) => boolean,
): ComparedForm => ({
  element,
  form: { ...form, controls: form.controls.filter((_, index) => isKept(index)) },
  controls: controls.filter((_, index) => isKept(index)),
});

/** Whether a form was too large to be described. Its description has no controls. */
export const isTooLarge = ({ limits = [] }: FormDescription): boolean => limits.some(({ what }) => what === 'size');

export function freshIn({ known, config }: Expectation): FreshNames {
  const isRenewed = renewedInKnown(known);
  const configured = new Set(config.fresh ?? []);
  return { isFresh: (name) => isRenewed(name) || configured.has(name), configured };
}

/** Cached, because the form of a manifest is compared with many pages. */
const renewedInKnown = oncePerObject(renewedIn);

type Groups = ReadonlyMap<string, readonly ControlDescription[]>;

/** Types of controls that submit nothing unless they are pressed. */
const ignoredTypes: ReadonlySet<string> = new Set([...buttonTypes, 'output', 'fieldset', 'object']);

export const groupsOf = ({ controls }: FormDescription): Groups =>
  groupBy(
    controls.filter(({ type, name, disabled }) => name !== '' && !disabled && !ignoredTypes.has(type)),
    ({ name }) => name,
  );

export const knownGroups = oncePerObject(groupsOf);

const isHidden = ({ type }: ControlDescription): boolean => type === 'hidden';
const isVisible = ({ type }: ControlDescription): boolean => type !== 'hidden';
const isChoice = ({ type }: ControlDescription): boolean => type === 'checkbox' || type === 'radio';

/** The difference between the controls with one name in the manifest and in the page. */
function missingDifference(
  name: string,
  before: readonly ControlDescription[],
  after: readonly ControlDescription[],
  { isFresh, isCompared }: Readonly<Record<'isFresh' | 'isCompared', (name: string) => boolean>>,
): string | undefined {
  const isSecretName = before.some(({ sensitive }) => sensitive) || before.every(isHidden);
  const types = new Set(before.map(({ type }) => type));
  const isOtherType = ({ type }: ControlDescription): boolean =>
    !types.has(type) && (isSecretName || type === 'checkbox' || (type !== 'hidden' && types.has('checkbox')));
  const other = after.find(isOtherType);
  if (other) {
    return `has the control ${preview(name)} with the type ${other.type} instead of ${[...types].join(' or ')}`;
  }
  const [known, found] = [before.filter(isFixed), after.filter(isFixed)];
  if (found.length < known.length && !isFresh(name)) return `has no hidden control ${preview(name)}`;
  if (found.length > known.length && known.length > 0) return furtherHidden(name);
  const [last, foundLast] = [before, after].map(isHiddenLast);
  if (last !== undefined && last !== (foundLast ?? last))
    return `has the hidden control ${preview(name)} at another place`;
  const checkboxes = after.filter(({ type }) => type === 'checkbox');
  const values = new Set(before.map(valueOf));
  if (types.has('checkbox') && checkboxes.length > 0 && !checkboxes.some((each) => values.has(valueOf(each))))
    return `has another value of the checkbox ${preview(name)}`;
  if (!isCompared(name)) return undefined;
  // An empty sensitive control needs no fingerprint: it has no value that a visitor could have chosen.
  const isUnknown = ({ fingerprint, sensitive }: ControlDescription, index: number): boolean =>
    fingerprint === undefined && !(sensitive && found[index] && fixedValue(found[index]) === '');
  if (known.some(isUnknown))
    return `cannot be compared, because the manifest has no fingerprint of the hidden control ${preview(name)}`;
  const isOther = (control: ControlDescription, index: number): boolean => {
    const fingerprint = known[index]?.fingerprint;
    return fingerprint !== undefined && fingerprint !== fingerprintOf(control);
  };
  return found.some(isOther) ? `has another value of the hidden control ${preview(name)}` : undefined;
}

/**
 * Whether the last control of a name is hidden: applications read the first or the last value. Undefined unless the name has
 * both hidden and visible controls.
 */
const isHiddenLast = (controls: readonly ControlDescription[]): boolean | undefined =>
  controls.some(isHidden) && controls.some(isVisible) ? controls.at(-1)?.type === 'hidden' : undefined;

const fixedValue = ({ attributes, defaultText }: ControlDescription): string => attributes.value ?? defaultText ?? '';

const valueOf = ({ attributes: { value = 'on' } }: ControlDescription): string => value;

const furtherHidden = (name: string): string => `has a further hidden control ${preview(name)}`;

interface FurtherControls {
  readonly difference?: string;
  readonly controls: readonly ControlDescription[];
}

/** The visible controls that the manifest lacks. One additional hidden control is allowed: a framework's CSRF token. */
function furtherControls(before: Groups, after: Groups, isFresh: (name: string) => boolean): FurtherControls {
  const rows = new Set([...before].flatMap(([name, group]) => group.map(({ type }) => rowOf(type, name))));
  const isRow = (control: ControlDescription): boolean =>
    !before.has(control.name) &&
    hasNumber.test(control.name) &&
    rows.has(rowOf(control.type, control.name)) &&
    (!isFixed(control) || isFresh(control.name));
  const further: ControlDescription[] = [];
  let tokens = 0;
  for (const [name, group] of after) {
    const known = before.get(name) ?? [];
    const added = group.filter((control) => !isRow(control));
    if (!known.some(isHidden)) {
      const count = added.filter(isHidden).length;
      tokens += count;
      if (count > 0 && (!isFrameworkToken(name) || tokens > 1))
        return { difference: furtherHidden(name), controls: further };
    }
    const [shown, knownShown] = [added.filter(isVisible), known.filter(isVisible)];
    const [count, knownCount] = [shown, knownShown].map((each) => each.filter((control) => !isChoice(control)).length);
    if (knownShown.length === 0) further.push(...shown);
    else if ((count ?? 0) > Math.max(1, knownCount ?? 0))
      return { difference: `has ${count} controls ${preview(name)}`, controls: further };
    else further.push(...furtherChoices(shown, knownShown));
  }
  return { controls: further };
}

/** The first additional control that submits a value by itself, as the end of a sentence about the form. */
function valueDifference(form: FormDescription, further: readonly ControlDescription[]): string | undefined {
  const entriesOf = (controls: readonly ControlDescription[]): ReturnType<typeof entryList> =>
    entryList({ ...form, controls }, formState({ ...form, controls }));
  const [checked] = entriesOf(further.filter(isChoice)); // even if its value is empty
  const entry = checked ?? entriesOf(further).find(({ value }) => typeof value === 'string' && value !== '');
  return entry && `has a further control ${preview(entry.name)} with a value`;
}

/**
 * The difference between the submit buttons, as the end of a sentence about the form. Buttons that only the page has are
 * ignored, because they are not pressed. The value of the only input button with a name is ignored, too: it is the label of the
 * button, which sites translate and adapt.
 */
function buttonDifference(
  known: FormDescription,
  form: FormDescription,
  isFresh: (name: string) => boolean,
): string | undefined {
  const before = groupBy(known.controls.filter(isSubmitButton), ({ name }) => name);
  const after = form.controls.filter(isSubmitButton);
  const isOther = ({ name, element, attributes }: ControlDescription): boolean => {
    const group = before.get(name);
    if (!group || name === '' || isFresh(name)) return false;
    const isLabel = element === 'input' && group.length === 1 && group[0].element === 'input';
    return !isLabel && group.every((each) => each.attributes.value !== attributes.value);
  };
  const other = after.find(isOther);
  if (other) return `has another value of the submit button ${preview(other.name)}`;
  const pressed = known.controls[defaultButton(known)]?.name ?? '';
  return pressed === '' || after.some(({ name }) => name === pressed)
    ? undefined
    : `has no submit button ${preview(pressed)}`;
}

function furtherChoices(
  shown: readonly ControlDescription[],
  known: readonly ControlDescription[],
): readonly ControlDescription[] {
  const values = new Set(known.map(({ attributes }) => attributes.value));
  return shown.filter((control) => isChoice(control) && !values.has(control.attributes.value));
}

/** Numbers that are a part of a name: `row-1`, `items[1][id]`. */
const numbers = /(?<![a-z\d])\d+(?![a-z\d])/gi;
const hasNumber = new RegExp(numbers, 'i');

/** The type and name of a control, with `#` instead of numbers. All rows of a list have the same result. */
const rowOf = (type: string, name: string): string => `${type} ${name.replace(numbers, '#')}`;

const invisibleTypes: ReadonlySet<string> = new Set(['hidden', 'output', 'fieldset', 'object', 'button', 'reset']);

/** The types and names of all controls that users see. */
export const namesOf = ({ controls }: FormDescription): string =>
  canonicalJson(
    controls
      .filter(({ type, name }) => name !== '' && !invisibleTypes.has(type))
      .map(keyOf)
      .sort(),
  );
