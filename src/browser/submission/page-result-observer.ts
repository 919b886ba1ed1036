import { readPageBefore, readPageErrors, type PageBefore } from '../../compiler/html/page-content.js';
import { SafeSet, withoutPrototype } from '../../platform/collections.js';
import {
  documentOf,
  domTree,
  elementsOfForm,
  hostOf,
  isInIgnored,
  isRendered,
  query,
  rootOf,
} from '../dom/dom-tree.js';
import { closest, contains, isConnected, matches } from '../dom/members.js';
import { renderedTree, visibleLines } from '../dom/visible-lines.js';
import type { RunningCall } from '../call/running-call.js';
import type { Note } from './advice.js';
import { PageActivity } from './page-activity.js';
import { answeredBy } from './page-before.js';

const { MutationObserver } = globalThis; // captured: see primordials.ts

const status = '[role=status],[role=alert],output,[aria-live=polite],[aria-live=assertive]';
const regions = `${status},[role=log],[role=dialog],[role=alertdialog],dialog`;
const observed: MutationObserverInit = withoutPrototype({
  subtree: true,
  childList: true,
  characterData: true,
  attributeFilter: ['class', 'style', 'hidden', 'open', 'aria-hidden', 'aria-invalid'],
});
const fields = 'input,select,textarea,label,button';
const maxRecords = 1000;
const maxRegions = 50;
const defaultScriptTimeoutMs = 5000;

/** Observes the results that a page shows while its script sends a form: in live regions, in dialogs, and around the form. */
export class PageResultObserver {
  readonly activity: PageActivity;
  readonly #form: Element;
  /** The ancestors of the form, nearest first: the page may replace the nearest. */
  readonly #surroundings: readonly Element[];
  /** The lines of text before the submission. Undefined until they are needed: reading them takes time on a long page. */
  #before: ReadonlySet<string> | undefined;
  /** The messages of the nearest ancestor before the call. */
  #messages: PageBefore | undefined;
  /** The nodes that have changed since the submission. */
  readonly #touched = new SafeSet<Node>();
  /** The nodes that have changed while the form was filled. */
  readonly #touchedBefore = new SafeSet<Node>();
  #hasStarted = false;
  /** The controls that were enabled at the start of the submission. */
  enabled: readonly Element[] = [];
  readonly #observer = new MutationObserver((records) => this.#onMutations(records));
  /** The live regions whose text the page has set, even if it is the same text. */
  readonly #announced = new SafeSet<Element>();
  readonly #changed = new SafeSet<Element>();
  readonly #roots: readonly Node[];

  constructor(form: Element, timeoutMs = defaultScriptTimeoutMs) {
    this.#form = form;
    this.activity = new PageActivity(form, timeoutMs, () => this.#hasResult());
    this.#surroundings = surroundingsOf(form);
    this.#roots = [...new SafeSet([documentOf(form), rootOf(form)])];
    for (const root of this.#roots) this.#observer.observe(root, observed);
  }

  /** Notes that the form is being submitted. Earlier changes are reactions to the filled values. */
  start(): void {
    if (this.#hasStarted) return;
    this.#onMutations(this.#observer.takeRecords());
    this.#hasStarted = true;
    this.enabled = elementsOfForm(this.#form).filter((control) => !matches(control, ':disabled'));
    this.activity.start();
  }

  /** Reads the state of the page before the submission: without the nodes that have changed since. */
  readBefore(): void {
    if (this.#before) return;
    this.#onMutations(this.#observer.takeRecords());
    const [nearest] = this.#surroundings;
    const roots = [...(nearest ? [nearest] : []), ...this.#roots];
    const isChanged = (node: Node): boolean => this.#touched.has(node) || this.#announced.has(node as Element);
    this.#before = new SafeSet(roots.flatMap((root) => visibleLines(root, isChanged)));
    this.#messages = nearest && this.#messagesIn(nearest);
  }

  /** The messages of an element without the text of the nodes that have changed since the start of the call. */
  #messagesIn(element: Element): PageBefore {
    const before = readPageBefore<Node, Element>(renderedTree, element, '', this.#form);
    const added = new SafeSet([...this.#touched, ...this.#touchedBefore].flatMap((node) => visibleLines(node)));
    return { ...before, texts: before.texts?.filter((text) => !added.has(text)) };
  }

  stop(): void {
    this.#observer.disconnect();
    this.activity.stop();
  }

  /** The nearest element around the form that the page has not removed. */
  get place(): Element | undefined {
    return this.#surroundings.find(isConnected);
  }

  /** The lines that the page has announced, and the added lines that it did not show before. */
  text(): string {
    const place = this.place;
    const added = linesOf([...this.#changed, ...(place ? [place] : [])]);
    const lines = [...linesOf([...this.#announced]), ...added.filter((line) => !this.#before?.has(line))];
    return [...new SafeSet(lines)].join('\n');
  }

  /**
   * The lines that the page added in the form while it was filled, except in elements that are or contain controls or labels.
   * They may explain a missing result.
   */
  textOfFilling(): string {
    const isAdded = (node: Node): boolean =>
      domTree.isElement(node) &&
      contains(this.#form, node) &&
      !matches(node, fields) &&
      query(node, fields).length === 0;
    const lines = linesOf([...this.#touchedBefore].filter(isAdded));
    return [...new SafeSet(lines)].join('\n');
  }

  /** The messages that the page has announced, or shown as errors, while the form was filled. */
  messagesOfFilling(call: RunningCall): readonly string[] {
    const added = new SafeSet(linesOf([...this.#touchedBefore]));
    // Reading the errors takes time on a long page.
    const errors = added.size > 0 ? this.standingErrors(call).map(({ message }) => message) : [];
    return [...new SafeSet([...linesOf([...this.#announced]), ...errors.filter((message) => added.has(message))])];
  }

  /** The validation messages in the form, and the validation messages around it that were added since the start of the call. */
  errors(call: RunningCall): readonly Note[] {
    const { place } = this;
    if (!place) return [];
    // If the page has replaced the nearest element, the form in the new element is the form of the call.
    const before = isConnected(this.#surroundings[0] ?? place)
      ? this.#messages
      : { ...this.#messagesIn(place), others: [] };
    const errors = readPageErrors<Node, Element>(renderedTree, place, {
      form: this.#form,
      call: answeredBy(call, before),
    });
    const wasShown = ({ message }: Note): boolean => message.split('\n').every((line) => this.#before?.has(line));
    return before === this.#messages ? errors : errors.filter((error) => !wasShown(error));
  }

  /** All validation messages and alerts, including those from before the call. They may explain a missing result. */
  standingErrors(call: RunningCall): readonly Note[] {
    const { place } = this;
    if (!place) return [];
    const before = this.#messages && { ...this.#messages, texts: [] };
    return readPageErrors<Node, Element>(renderedTree, place, {
      form: this.#form,
      call: answeredBy(call, before),
      isStanding: true,
    });
  }

  #onMutations(records: readonly MutationRecord[]): void {
    const place = this.place;
    let wait: number | undefined;
    for (const record of records.slice(0, maxRecords)) {
      const { target } = record;
      const isText = record.type !== 'attributes';
      this.#touch(record);
      const announced = this.#noteRegions(target, [...record.addedNodes], isText);
      if (announced) wait = 1 / 20;
      else if (place && contains(place, target) && (isText || !this.activity.isWaiting)) {
        wait ??= this.activity.hasRequested ? 1 / 10 : 1 / 5;
      }
    }
    if (wait !== undefined) this.activity.wait(wait);
  }

  /** Returns whether a live region has changed. */
  #noteRegions(target: Node, added: readonly Node[], isText: boolean): boolean {
    const element = domTree.isElement(target) ? target : domTree.parent(target);
    const around = element && domTree.isElement(element) ? closest(element, regions) : null;
    const found = [
      around,
      ...added.flatMap((node) => (domTree.isElement(node) ? [node, ...query(node, regions)] : [])),
    ];
    let isAnnounced = false;
    for (const region of found) {
      if (!region || !matches(region, regions) || isInIgnored(region) || this.#changed.size > maxRegions) continue;
      this.#changed.add(region);
      if (!isText || !matches(region, status) || contains(region, this.#form)) continue;
      this.#announced.add(region);
      isAnnounced = true;
    }
    return isAnnounced;
  }

  #touch({ type, target, addedNodes }: MutationRecord): void {
    const touched = this.#hasStarted ? this.#touched : this.#touchedBefore;
    if (touched.size > maxRecords) return;
    if (type === 'attributes' && (contains(target, this.#form) || matches(target as Element, 'button'))) return; // busy states
    for (const node of type === 'childList' ? addedNodes : [target]) touched.add(node);
  }

  /** Whether the page has disabled controls until its server responds. */
  #isBusy(): boolean {
    const isDisabled = (control: Element): boolean => isConnected(control) && matches(control, ':disabled');
    return !this.activity.hasRequested && this.#announced.size === 0 && this.enabled.some(isDisabled);
  }

  #hasResult(): boolean {
    if (this.#isBusy()) return false;
    this.readBefore();
    const text = this.text();
    const hasAnswered = this.activity.hasRequested && (this.#touched.size > 0 || !isRendered(this.#form));
    return (text !== '' || hasAnswered) && !progress.test(text);
  }
}

/** Observes the page from now on. */
export const watchPage = ({ form: { element, settings } }: RunningCall): PageResultObserver =>
  new PageResultObserver(element, settings.scriptTimeoutMs);

const linesOf = (nodes: readonly Node[]): readonly string[] =>
  nodes.filter(isConnected).flatMap((node) => visibleLines(node));

/** Progress messages such as "Saving…", which announce a result. */
const progress = /(?:…|\.\.\.)$/;

/** The ancestors of a form, nearest first. Skips wrappers that contain only the form. */
function surroundingsOf(form: Element): readonly Element[] {
  const found: Element[] = [];
  for (let up = domTree.parent(form); up; up = domTree.parent(up) ?? hostOf(up)) {
    if (!domTree.isElement(up)) continue;
    const isWrapper = domTree.children(up).filter((child) => domTree.isElement(child)).length === 1;
    if (!isWrapper || found.length > 0 || domTree.localName(up) === 'body') found.push(up);
  }
  return found;
}
