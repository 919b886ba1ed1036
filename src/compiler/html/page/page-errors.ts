import { ancestors, type Tree } from '../../tree.js';
import { splitOnAsciiWhitespace } from '../text.js';
import type { PageBefore } from './answered-call.js';
import { controlOfError, invalidByLabel, isOfSymfonyForm, linkedControls } from './attribute-error.js';
import type { IsAnswer } from './evidence.js';
import { isProse } from './prose.js';
import { isForScreenReaders, renderedTexts, type RenderedText } from './rendered-tree.js';
import type { PageControl, PageForm, PagePlace, Region, Survey } from './survey.js';

export interface PageError {
  /** The name of the control; empty if the error does not belong to a control. */
  readonly parameter: string;
  readonly message: string;
}

interface Reports {
  readonly messages: readonly string[];
  readonly errors: readonly PageError[];
}

/** Longer strings are content, not messages. They are omitted, not truncated, so that secrets in messages are always complete. */
const maxMessageLength = 2_000;
const maxMessages = 100;
const maxRegions = 2_000;
const maxTotalLength = 20_000;

/** All messages and errors, and those of each form except for the form of the call. */
export function readTexts<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  own: Element | null,
): Pick<PageBefore, 'texts' | 'others'> {
  const invalid = survey.controls.filter(({ isAriaInvalid }) => isAriaInvalid);
  if (invalid.length > maxMessages) return {};
  const referenced = invalid.flatMap((control) => referencedPlaces(tree, survey, control));
  const isRegion = ({ element }: PagePlace<Element>): boolean => survey.regions.has(element);
  const places = [...survey.regions.values(), ...referenced.filter((place) => !isRegion(place))];
  const textsIn = (some: readonly PagePlace<Element>[]): readonly string[] | undefined => {
    if (some.length > maxRegions) return undefined;
    const texts = some.flatMap(({ element }) => textsOf(tree, survey, element).map(({ text }) => text));
    return lengthOf(texts) <= maxTotalLength ? [...new Set(texts)] : undefined;
  };
  const byForm = new Map<PageForm<Element>, PagePlace<Element>[]>();
  for (const place of places) {
    const { form } = place;
    if (!form || form.element === own) continue;
    const known = byForm.get(form);
    if (known) known.push(place);
    else byForm.set(form, [place]);
  }
  const inForms = [...byForm.values()].flat();
  if (!textsIn(inForms)) return {};
  const others = [...byForm].map(([{ names }, some]) => ({ names: [...names], texts: textsIn(some) ?? [] }));
  const length = others.reduce((sum, { names, texts }) => sum + lengthOf(names) + lengthOf(texts), 0);
  return { texts: textsIn(places), others: length <= maxTotalLength ? others : undefined };
}

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

/**
 * The messages and validation errors that answer a call, without duplicates, in page order.
 *
 * @param isStanding - whether the page is silent: alerts are errors then, and asides have none
 */
export function readReports<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  isAnswer: IsAnswer<Element>,
  isStanding = false,
): Reports {
  const reports: Report<Element>[] = [];
  for (const region of [...survey.regions.values()].slice(0, maxRegions)) {
    const found =
      region.isWrapper || (isStanding && isInAside(tree, region.element))
        ? []
        : reportsOf(tree, survey, region, isStanding);
    reports.push(...found.filter(({ text, isError }) => isAnswer(text, region, isError)));
  }
  const reported = new Set(reports.map(({ control }) => control));
  const unreported = survey.controls.filter((control) => control.isAriaInvalid && !reported.has(control));
  reports.push(
    ...unreported.slice(0, maxMessages).flatMap((control) => referencedErrors(tree, survey, control, isAnswer)),
  );
  const messages = reports.flatMap(({ isError, text }) => (isError ? [] : text));
  const labels = [...invalidByLabel(tree, survey)];
  const errors = reports.flatMap(({ isError, text, control, parameter }): readonly PageError[] => {
    if (!isError) return [];
    const labelled = labels.find(([label]) => text.startsWith(`${label} `))?.[1];
    return [{ parameter: parameter ?? (control ?? labelled)?.name ?? '', message: text }];
  });
  return limit(errors, messages);
}

const isInAside = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  [...ancestors(tree, element)].some((up) => tree.isElement(up) && tree.localName(up) === 'aside');

interface Report<Element> {
  readonly text: string;
  readonly isError: boolean;
  readonly control?: PageControl<Element> | undefined;
  /** The name of its control, where the page writes it. */
  readonly parameter?: string | undefined;
}

function reportsOf<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  region: Region<Element>,
  isStanding: boolean,
): readonly Report<Element>[] {
  const { element, severity, outer } = region;
  const texts = textsOf(tree, survey, element);
  if (texts.length === 0) return [];
  const control = severity === 'status' ? undefined : controlOfError(tree, survey, region);
  const isAnError = (isStanding && severity === 'alert') || isError(tree, survey, region, control);
  if (!isAnError && (severity === 'bare' || severity === 'field')) return [];
  const parameter = outer?.severity === 'list' ? nameOfList(tree, survey, element) : undefined;
  const hasItems = severity === 'error' && texts.some(({ isListItem }) => isListItem);
  const linked = linkedControls(tree, survey, region);
  return texts.map(({ text, isListItem }) => ({
    text,
    isError: isAnError && (isListItem || !hasItems),
    control: linked.get(text) ?? control,
    parameter,
  }));
}

/** Django writes the errors of a whole form as a list of the names of its controls, each with a list. */
function nameOfList<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  list: Element,
): string {
  const item = tree.parent(list);
  const name = item === null ? undefined : textsOf(tree, survey, item)[0]?.text;
  return name !== undefined && survey.names.has(name) ? name : '';
}

function isError<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  region: Region<Element>,
  control: PageControl<Element> | undefined,
): boolean {
  const { element, severity } = region;
  if (severity === 'status') return false;
  if (severity === 'bare') return control !== undefined || isOfSymfonyForm(tree, survey, region);
  if (severity === 'alert') return control !== undefined;
  const classes = tree.attribute(element, 'class') ?? '';
  const isTemplate = /(?:^|\s)invalid-(?:feedback|tooltip)(?!\S)/.test(classes) && !isShown(tree, element, classes);
  return !isTemplate || control?.isInvalid === true;
}

/** Bootstrap shows the feedback of invalid controls only. */
const isShown = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element, classes: string): boolean =>
  /(?:^|\s)d-block(?!\S)/.test(classes) || /display:\s*block/.test(tree.attribute(element, 'style') ?? '');

/** The messages in a region, without those of nested regions, and without prose in it unless it has nothing else. */
function textsOf<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  { regions }: Survey<Element>,
  element: Node,
): readonly RenderedText[] {
  const read = (isSkipped: (each: Element) => boolean): readonly RenderedText[] =>
    renderedTexts(tree, element, {
      skip: (each) => regions.has(each) || isForScreenReaders(tree, each) || isSkipped(each),
      isSplit: true,
      limit: 10_000,
    }).filter(({ text }) => text.length <= maxMessageLength && /^[^*]*\p{L}/u.test(text));
  const texts = read((each) => isProse(tree, each));
  return texts.length > 0 ? texts : read(() => false);
}

/** The messages that an invalid control refers to. */
function referencedErrors<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  control: PageControl<Element>,
  isAnswer: IsAnswer<Element>,
): readonly Report<Element>[] {
  return referencedPlaces(tree, survey, control).flatMap((place) =>
    textsOf(tree, survey, place.element).flatMap(({ text }) =>
      isAnswer(text, place, true) ? [{ text, isError: true, control }] : [],
    ),
  );
}

/** The elements that an invalid control refers to: its error message, or otherwise its descriptions without hints. */
function referencedPlaces<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  { element, form }: PageControl<Element>,
): readonly PagePlace<Element>[] {
  const ids = (attribute: string): readonly string[] =>
    splitOnAsciiWhitespace(tree.attribute(element, attribute) ?? '');
  const named = ids('aria-errormessage');
  const references = named.length > 0 ? named : ids('aria-describedby').filter((id) => !/hint|help|desc/i.test(id));
  return references.slice(0, 5).flatMap((id) => referenced(survey.ids.get(id) ?? [], form) ?? []);
}

/** The only element with an ID, or the only one of them in a form. */
function referenced<Element>(
  targets: readonly PagePlace<Element>[],
  form: PageForm<Element> | undefined,
): PagePlace<Element> | undefined {
  const [own, ...others] = targets.length > 1 ? targets.filter((each) => each.form === form) : targets;
  return others.length === 0 ? own : undefined;
}

function limit(errors: readonly PageError[], messages: readonly string[]): Reports {
  let left = maxTotalLength;
  const seen = new Set<string>();
  const fits = (text: string): boolean => (left -= text.length) >= 0;
  const owned = new Set(errors.flatMap(({ parameter, message }) => (parameter ? message : [])));
  const shownErrors = errors.filter(({ parameter, message }) => {
    const key = JSON.stringify([parameter, message]);
    if (seen.has(key) || (parameter === '' && owned.has(message))) return false;
    seen.add(key);
    return seen.size <= maxMessages && fits(message);
  });
  const known = new Set(shownErrors.map(({ message }) => message));
  const shownMessages = [...new Set(messages)].filter((message) => !known.has(message));
  return { errors: shownErrors, messages: shownMessages.slice(0, maxMessages).filter(fits) };
}
