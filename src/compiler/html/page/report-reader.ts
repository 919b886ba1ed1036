import { groupBy } from '../../../group-by.js';
import { ancestors, type Tree } from '../../tree.js';
import { splitOnAsciiWhitespace } from '../text.js';
import type { PageBefore } from './answered-call.js';
import { ControlFinder } from './control-finder.js';
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

/**
 * Longer strings are content, not messages. They are omitted, not truncated, so that a secret in a message is always
 * complete and can be recognized.
 */
const maxMessageLength = 2_000;
const maxMessages = 100;
const maxRegions = 2_000;
const maxTotalLength = 20_000;

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

interface Report<Element> {
  readonly text: string;
  readonly isError: boolean;
  readonly control?: PageControl<Element> | undefined;
  /** The name of its control, if the page contains it as text. */
  readonly parameter?: string | undefined;
}

/** Reads the messages and validation errors of a page. */
export class ReportReader<Node, Element extends Node> {
  readonly #tree: Tree<Node, Element>;
  readonly #survey: Survey<Node, Element>;
  readonly #finder: ControlFinder<Node, Element>;

  constructor(survey: Survey<Node, Element>) {
    this.#tree = survey.tree;
    this.#survey = survey;
    this.#finder = new ControlFinder(survey);
  }

  /** All messages and errors, and the messages and errors of each form except for the form of the call. */
  texts(own: Element | null): Pick<PageBefore, 'texts' | 'others'> {
    const { controls, regions } = this.#survey;
    const invalid = controls.filter(({ isAriaInvalid }) => isAriaInvalid);
    if (invalid.length > maxMessages) return {};
    const referenced = invalid.flatMap((control) => this.#referencedPlaces(control));
    const places = [...regions.values(), ...referenced.filter(({ element }) => !regions.has(element))];
    const textsIn = (some: readonly PagePlace<Element>[]): readonly string[] | undefined => {
      if (some.length > maxRegions) return undefined;
      const texts = some.flatMap(({ element }) => this.#textsOf(element).map(({ text }) => text));
      return lengthOf(texts) <= maxTotalLength ? [...new Set(texts)] : undefined;
    };
    const byForm = groupBy(places, ({ form }) => (form?.element === own ? undefined : form));
    if (!textsIn([...byForm.values()].flat())) return {};
    const others = [...byForm].map(([{ names }, some]) => ({ names: [...names], texts: textsIn(some) ?? [] }));
    const length = others.reduce((sum, { names, texts }) => sum + lengthOf(names) + lengthOf(texts), 0);
    return { texts: textsIn(places), others: length <= maxTotalLength ? others : undefined };
  }

  /**
   * The messages and validation errors that answer a call, without duplicates, in page order.
   *
   * @param isStanding - whether alerts are errors too, because the page shows no other result. Asides are then ignored
   */
  reports(isAnswer: IsAnswer<Element>, isStanding = false): Reports {
    const reports: Report<Element>[] = [];
    for (const region of [...this.#survey.regions.values()].slice(0, maxRegions)) {
      if (region.isWrapper || (isStanding && this.#isInAside(region.element))) continue;
      const found = this.#reportsOf(region, isStanding);
      reports.push(...found.filter(({ text, isError }) => isAnswer(text, region, isError)));
    }
    const reported = new Set(reports.map(({ control }) => control));
    const unreported = this.#survey.controls.filter((control) => control.isAriaInvalid && !reported.has(control));
    for (const control of unreported.slice(0, maxMessages))
      for (const place of this.#referencedPlaces(control))
        for (const { text } of this.#textsOf(place.element))
          if (isAnswer(text, place, true)) reports.push({ text, isError: true, control });
    const messages = reports.flatMap(({ isError, text }) => (isError ? [] : text));
    const labels = [...this.#finder.invalidByLabel()];
    const errors = reports.flatMap(({ isError, text, control, parameter }): readonly PageError[] => {
      if (!isError) return [];
      const labelled = labels.find(([label]) => text.startsWith(`${label} `))?.[1];
      return [{ parameter: parameter ?? (control ?? labelled)?.name ?? '', message: text }];
    });
    return limit(errors, messages);
  }

  #isInAside(element: Element): boolean {
    return [...ancestors(this.#tree, element)].some(
      (up) => this.#tree.isElement(up) && this.#tree.localName(up) === 'aside',
    );
  }

  #reportsOf(region: Region<Element>, isStanding: boolean): readonly Report<Element>[] {
    const { element, severity, outer } = region;
    const texts = this.#textsOf(element);
    if (texts.length === 0) return [];
    const control = severity === 'status' ? undefined : this.#finder.ofError(region);
    const isAnError = (isStanding && severity === 'alert') || this.#isError(region, control);
    if (!isAnError && (severity === 'bare' || severity === 'field')) return [];
    const parameter = outer?.severity === 'list' ? this.#nameOfList(element) : undefined;
    const hasItems = severity === 'error' && texts.some(({ isListItem }) => isListItem);
    const linked = this.#finder.linked(region);
    return texts.map(({ text, isListItem }) => ({
      text,
      isError: isAnError && (isListItem || !hasItems),
      control: linked.get(text) ?? control,
      parameter,
    }));
  }

  /**
   * The control name before a nested list of errors; empty if the page has no such control. Django lists the errors of
   * a whole form by control name.
   */
  #nameOfList(list: Element): string {
    const item = this.#tree.parent(list);
    const name = item === null ? undefined : this.#textsOf(item)[0]?.text;
    return name !== undefined && this.#survey.names.has(name) ? name : '';
  }

  #isError(region: Region<Element>, control: PageControl<Element> | undefined): boolean {
    const { element, severity } = region;
    if (severity === 'status') return false;
    if (severity === 'bare') return control !== undefined || this.#finder.isOfSymfonyForm(region);
    if (severity === 'alert') return control !== undefined;
    const classes = this.#tree.attribute(element, 'class') ?? '';
    if (control?.isInvalid || !/(?:^|\s)invalid-(?:feedback|tooltip)(?!\S)/.test(classes)) return true;
    // Bootstrap shows this feedback only at an invalid control or with these styles.
    const style = this.#tree.attribute(element, 'style') ?? '';
    return /(?:^|\s)d-block(?!\S)/.test(classes) || /display:\s*block/.test(style);
  }

  /** The messages in a region, without those of nested regions. Prose is read only if the region has no other message. */
  #textsOf(element: Node): readonly RenderedText[] {
    const tree = this.#tree;
    const read = (isSkipped: (each: Element) => boolean): readonly RenderedText[] =>
      renderedTexts(tree, element, {
        skip: (each) => this.#survey.regions.has(each) || isForScreenReaders(tree, each) || isSkipped(each),
        isSplit: true,
        limit: 10_000,
      }).filter(({ text }) => text.length <= maxMessageLength && /^[^*]*\p{L}/u.test(text));
    const texts = read((each) => isProse(tree, each));
    return texts.length > 0 ? texts : read(() => false);
  }

  /**
   * The elements that an invalid control refers to: those of `aria-errormessage` or, without it, those of
   * `aria-describedby` except hints.
   */
  #referencedPlaces({ element, form }: PageControl<Element>): readonly PagePlace<Element>[] {
    const ids = (attribute: string): readonly string[] =>
      splitOnAsciiWhitespace(this.#tree.attribute(element, attribute) ?? '');
    const named = ids('aria-errormessage');
    const references = named.length > 0 ? named : ids('aria-describedby').filter((id) => !/hint|help|desc/i.test(id));
    return references.slice(0, 5).flatMap((id) => referenced(this.#survey.ids.get(id) ?? [], form) ?? []);
  }
}

/** The only element with an ID or, if several elements have it, the only one in the form. */
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
