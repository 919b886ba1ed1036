import { describeForm } from '../../compiler/describe/describe-form.js';
import { annotation } from '../../compiler/describe/label-text.js';
import { readForms, type FoundForm } from '../../compiler/describe/scope.js';
import { isCsrfName } from '../../compiler/csrf-token.js';
import type { ControlDescription, FormDescription } from '../../compiler/description.js';
import { entryList } from '../../compiler/input/entry-list.js';
import { formState } from '../../compiler/input/form-state.js';
import { preview } from '../../compiler/preview.js';
import { canonicalJson } from '../../json.js';
import { pageLimits, parsePage, type Parse5Element, type Parse5Page } from '../../parse5/parse5-tree.js';
import { findToolElements, insideOf } from '../../site/tools/tool-elements.js';
import { submissionOf } from '../form-request.js';
import { displayUrl } from '../secrets/display-url.js';
import { withoutSessionId } from './compare-destination.js';
import {
  compareForm,
  isTooLarge,
  namesOf,
  withoutFurther,
  type ComparedForm,
  type Comparison,
  type Expectation,
  groupsOf,
  keyOf,
  knownGroups,
  withControls,
} from './compare-form.js';
import { driftError, missingFormError, unavailable, type FetchedPage } from './page-status.js';
import { listedElements } from '../../compiler/html/elements.js';
import { descendants } from '../../compiler/tree.js';

/**
 * Finds the forms of a tool by its name, as the compiler does: annotated forms, or else the forms of
 * `<webmcp-tool>` elements.
 */
function findToolForms(page: Parse5Page, name: string): readonly FoundForm<Parse5Element>[] {
  const { tree, document, mayHaveToolElements } = page;
  const forms = readForms(tree, document);
  const annotated = forms.filter(({ form }) => annotation(tree, form, 'toolname') === name);
  if (annotated.length > 0 || !mayHaveToolElements) return annotated;
  const found = findToolElements(page).found.flatMap(({ element, form, conflict }) =>
    form && !conflict && tree.attribute(element, 'name') === name ? form : [],
  );
  const byElement = new Map(forms.map((each) => [each.form, each]));
  return found.flatMap((each) => byElement.get(each) ?? []);
}

interface ParsedPage extends FetchedPage {
  readonly page: Parse5Page;
}

const maxForms = 1_000;

/** Throws if there are too many forms to compare. Otherwise the form of the manifest could be overlooked. */
function checkCount(count: number, { known }: Expectation, fetched: FetchedPage): void {
  if (count <= maxForms) return;
  const reason = `${displayUrl(fetched.url)} has ${count} forms that could be that of the tool ${preview(known.tool.name)}`;
  throw driftError(`${reason}, more than the limit of ${maxForms}`, fetched, 'Remove some of them.');
}

/**
 * Selects the form of a page that matches the form of the manifest: by the name of its tool or, if no form has the name, by all
 * of its controls. Even an only form must have the destination, the named controls and the hidden values of the manifest,
 * because visitors may have written it.
 *
 * @throws {SubmissionError} `page-drift`, `login-required`, `page-unavailable`
 */
export function selectForm(page: Parse5Page, expected: Expectation, fetched: FetchedPage): ComparedForm {
  const { tree, document } = page;
  const { name } = expected.known.tool;
  const named = name === null ? [] : findToolForms(page, name);
  const forms = named.length > 0 ? named : readForms(tree, document);
  checkCount(forms.length, expected, fetched);
  const select = named.length > 0 ? selectNamed : selectSimilar;
  const described = forms.map((each) => describeFound(page, each, expected));
  const { each: selected, comparison } = select(described, expected, { ...fetched, page });
  const difference = cutDifference(page, selected, expected.known);
  if (difference !== undefined)
    throw driftError(`the form of ${displayUrl(fetched.url)} ${difference}`, fetched, differenceAdvice);
  return withoutSession(withoutFurther(selected, comparison));
}

export function hasForm(page: Parse5Page, expected: Expectation, urls: Pick<FetchedPage, 'pageUrl' | 'url'>): boolean {
  const { name } = expected.known.tool;
  const named = name === null ? [] : findToolForms(page, name);
  return named.some(
    (each) => compareForm(describeFound(page, each, expected), expected, urls).difference === undefined,
  );
}

function describeFound(
  { tree }: Parse5Page,
  { form, scope }: FoundForm<Parse5Element>,
  { known }: Expectation,
): ComparedForm {
  const { description, controls } = describeForm(tree, form, scope);
  return withOwnControls(tree, { element: form, form: description, controls }, known);
}

function selectNamed(named: readonly ComparedForm[], expected: Expectation, fetched: ParsedPage): Compared {
  const compared = compareAll(named, expected, fetched);
  const [chosen, ...others] = compared.filter(isSame);
  if (!chosen) throw differenceError(compared, expected, fetched);
  if (others.length === 0) return chosen;
  const submission = submissionText(chosen.each, fetched);
  const other = others.find(({ each }) => submissionText(each, fetched) !== submission);
  if (!other) return chosen;
  const [place, otherPlace] = placesOf([chosen, other], fetched);
  const places = `They begin at ${place} and at ${otherPlace}, and each of them could be that of the manifest`;
  throw driftError(`${differentForms(expected, fetched)}. ${places}`, fetched, 'Remove one of them, or its name.');
}

const differentForms = ({ known }: Expectation, { url }: FetchedPage): string =>
  `${displayUrl(url)} has different forms for the tool ${preview(known.tool.name)}`;

const maxDifferences = 3;

const differenceAdvice =
  'If the site has changed this form, compile the manifest again. If the site renews a value of it, add the name of the control or parameter to "fresh" in the configuration of the gateway.';

interface Compared {
  readonly each: ComparedForm;
  readonly comparison: Comparison;
}

const compareAll = (forms: readonly ComparedForm[], expected: Expectation, fetched: FetchedPage): readonly Compared[] =>
  forms.map((each) => ({ each, comparison: compareForm(each, expected, fetched) }));

const isSame = ({ comparison }: Compared): boolean => comparison.difference === undefined;

function differenceError(compared: readonly Compared[], expected: Expectation, fetched: ParsedPage): Error {
  if (compared.every(({ each }) => isTooLarge(each.form))) {
    return unavailable(fetched, 'has a form beyond the limits: it has too many controls or options.');
  }
  const [first] = compared as readonly [Compared, ...Compared[]];
  const shown = compared.slice(0, maxDifferences);
  const places = placesOf(shown, fetched);
  if (compared.length === 1) {
    submissionOf(first.each.form, undefined, fetched.url); // throws if the form cannot be submitted
    const reason = `the form of ${displayUrl(fetched.url)} ${first.comparison.difference} (it begins at ${places[0]})`;
    return driftError(reason, fetched, differenceAdvice);
  }
  const differences = shown
    .map(({ comparison }, index) => `the form at ${places[index]} ${comparison.difference}`)
    .join('; ');
  const more = compared.length > maxDifferences ? `; and ${compared.length - maxDifferences} more` : '';
  const reason = `None of them is that of the manifest: ${differences}${more}`;
  return driftError(`${differentForms(expected, fetched)}. ${reason}`, fetched, differenceAdvice);
}

function selectSimilar(forms: readonly ComparedForm[], expected: Expectation, fetched: ParsedPage): Compared {
  const { known } = expected;
  const names = namesOf(known);
  const similar = compareAll(forms, expected, fetched).filter(
    (compared) => isSame(compared) && namesOf(compared.each.form) === names,
  );
  const [form, other] = similar;
  if (form && !other) return form;
  const places = other ? `, at ${placesOf(similar.slice(0, maxDifferences), fetched).join(' and at ')}` : '';
  const which = form ? `${similar.length} forms that match` : forms.length > 0 ? 'no form that matches' : 'no form for';
  const { name } = known.tool;
  throw missingFormError(fetched, name, `${which} the tool ${preview(name)}${places}, and none has its name`);
}

/** Parses the page again to record locations. They are not recorded at first, because only errors contain them. */
function placesOf(compared: readonly Compared[], { page, html }: ParsedPage): readonly string[] {
  const forms = readForms(page.tree, page.document).map(({ form }) => form);
  const { tree, document } = parsePage(html, { ...pageLimits, locations: 'elements' });
  const located = readForms(tree, document);
  return compared.map(({ each }) => {
    const found = located[forms.indexOf(each.element)];
    const location = found && tree.location?.(found.form);
    return location ? `line ${location.line}, column ${location.column}` : 'an unknown place';
  });
}

/** Serializes the destination and the values of a form, without CSRF tokens, which differ in equal forms. */
function submissionText({ form }: ComparedForm, { url }: FetchedPage): string {
  const entries = entryList(form, formState(form)).map(({ name, value }) =>
    isCsrfName(name) ? [name] : [name, value],
  );
  return canonicalJson([submissionOf(form, undefined, url).url.href, form.controls.map(offerOf).sort(), entries]);
}

const offerOf = ({ type, name, attributes: { value, formaction, dirname }, options }: ControlDescription): string =>
  canonicalJson([
    ...[type, name, formaction, dirname].map((each) => each ?? null),
    /^(?:checkbox|radio|submit|image)$/.test(type) ? (value ?? null) : null,
    (options ?? []).map((option) => option.value),
  ]);

/** Removes session IDs from the form's URLs, because the cookies contain the session ID. */
function withoutSession({ element, form, controls }: ComparedForm): ComparedForm {
  return {
    element,
    form: {
      ...form,
      action: form.action && withoutSessionId(form.action),
      controls: form.controls.map((control) => {
        const { formaction } = control.attributes;
        return formaction === undefined
          ? control
          : { ...control, attributes: { ...control.attributes, formaction: withoutSessionId(formaction) } };
      }),
    },
    controls,
  };
}

/**
 * Removes the controls outside of the form's element that the manifest lacks. Markup of visitors can add such controls to any
 * form of the page, with the attribute `form` or by invalid nesting.
 */
function withOwnControls(
  tree: Parse5Page['tree'],
  { element, form, controls }: ComparedForm,
  known: FormDescription,
): ComparedForm {
  const isInside = insideOf(tree, element);
  const inside = controls.map(isInside);
  if (!inside.includes(false)) return { element, form, controls };
  const missing = countBy(known.controls, keyOf);
  form.controls.forEach((control, index) => {
    if (inside[index]) missing.set(keyOf(control), (missing.get(keyOf(control)) ?? 0) - 1);
  });
  const isKept = form.controls.map((control, index) => inside[index] || (missing.get(keyOf(control)) ?? 0) > 0);
  return withControls({ element, form, controls }, (index) => isKept[index] === true);
}

function countBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}

/**
 * The first control of the manifest that follows an early end of the form, as the end of a sentence about the form. A `</form>`
 * in the content of a visitor ends the surrounding form. Later controls then belong to no form or to a form in the content, and
 * are not sent.
 */
function cutDifference(
  { tree, document }: Parse5Page,
  { element, form }: ComparedForm,
  expected: FormDescription,
): string | undefined {
  const found = groupsOf(form);
  const missing = new Set([...knownGroups(expected).keys()].filter((name) => !found.has(name)));
  if (missing.size === 0) return undefined;
  const isInside = insideOf(tree, element);
  for (const node of descendants(tree, document)) {
    if (!tree.isElement(node) || !listedElements.has(tree.localName(node))) continue;
    const name = tree.attribute(node, 'name') ?? '';
    if (!missing.has(name)) continue;
    const owner = tree.formOwner(node);
    if (owner === null || (owner !== element && isInside(owner)))
      return `ends before its control ${preview(name)}, as at the end tag of a form inside of it`;
  }
  return undefined;
}
