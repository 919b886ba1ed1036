import type { Tree } from '../../tree.js';
import { splitOnAsciiWhitespace } from '../text.js';
import { controlOf } from './attribute-error.js';
import { isForScreenReaders, renderedTexts } from './rendered-tree.js';
import type { PageControl, Region, Survey } from './survey.js';

export interface PageError {
  /** The name of the control; empty if the error belongs to none. */
  readonly parameter: string;
  readonly message: string;
}

export interface Reports {
  readonly messages: readonly string[];
  readonly errors: readonly PageError[];
}

/** Longer texts are content, not messages. They are not truncated, so that a secret in them is found as a whole. */
const maxMessageLength = 2_000;
const maxMessages = 100;
const maxRegions = 2_000;
const maxTotalLength = 20_000;

/** The messages and validation errors that a page shows, without duplicates, in page order. */
export function readReports<Node, Element extends Node>(tree: Tree<Node, Element>, survey: Survey<Element>): Reports {
  const errors: PageError[] = [];
  const messages: string[] = [];
  const reported = new Set<PageControl<Element>>();
  for (const region of [...survey.regions.values()].slice(0, maxRegions)) {
    if (region.isWrapper) continue;
    const texts = textsOf(tree, survey, region.element);
    const isStatus = region.severity === 'status' || texts.length === 0;
    const control = isStatus ? undefined : controlOf(tree, survey, region);
    if (control) reported.add(control);
    if (!isError(tree, region, control)) {
      if (region.severity !== 'bare') messages.push(...texts);
    } else for (const message of texts) errors.push({ parameter: control?.name ?? '', message });
  }
  for (const control of survey.controls) {
    if (control.isAriaInvalid && !reported.has(control)) errors.push(...referencedErrors(tree, survey, control));
  }
  return limit(errors, messages);
}

function isError<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  { element, severity }: Region<Element>,
  control: PageControl<Element> | undefined,
): boolean {
  if (severity === 'status') return false;
  if (severity === 'alert' || severity === 'bare') return control !== undefined;
  const classes = tree.attribute(element, 'class') ?? '';
  const isTemplate = /(?:^|\s)invalid-(?:feedback|tooltip)(?!\S)/.test(classes) && !isShown(tree, element, classes);
  return !isTemplate || control?.isInvalid === true;
}

/** Bootstrap shows the feedback of invalid controls only. */
const isShown = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element, classes: string): boolean =>
  /(?:^|\s)d-block(?!\S)/.test(classes) || /display:\s*block/.test(tree.attribute(element, 'style') ?? '');

/** The texts of a region's own content. Other regions in it are read apart. */
const textsOf = <Node, Element extends Node>(
  tree: Tree<Node, Element>,
  { regions }: Survey<Element>,
  element: Element,
): readonly string[] =>
  renderedTexts(tree, element, {
    skip: (each) => regions.has(each) || isForScreenReaders(tree, each),
    isSplit: true,
    limit: 10_000,
  }).filter((text) => text.length <= maxMessageLength && /^[^*]*\p{L}/u.test(text));

/** The texts that an invalid control refers to: its error message, or else its descriptions without hints. */
function referencedErrors<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  { element, name }: PageControl<Element>,
): readonly PageError[] {
  const ids = (attribute: string): readonly string[] =>
    splitOnAsciiWhitespace(tree.attribute(element, attribute) ?? '');
  const named = ids('aria-errormessage');
  const references = named.length > 0 ? named : ids('aria-describedby').filter((id) => !/hint|help|desc/i.test(id));
  return references.slice(0, 5).flatMap((id) => {
    const target = survey.ids.get(id);
    return target ? textsOf(tree, survey, target).map((message) => ({ parameter: name, message })) : [];
  });
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
