import { annotation } from '../../compiler/describe/label-text.js';
import { applies } from '../../compiler/html/elements.js';
import { ignoreAttribute } from '../../compiler/ignored.js';
import { SafeMap, SafeSet, SafeWeakMap, withoutPrototype } from '../../platform/collections.js';
import { isInside } from '../../platform/dom.js';
import type { FormIndex } from '../discovery/form-index.js';
import type { DiscoveredForm } from '../discovery/registrations.js';
import { documentOf, domTree } from '../dom/dom-tree.js';
import { activeElement, inputType } from '../dom/members.js';
import type { Settings } from '../settings.js';
import { DependencyIndex, noDependencies } from './dependencies.js';
import { LiveForm } from './live-form.js';
import type { NameConflicts } from './name-conflicts.js';
import { elementsWithIds, idAttributes, idsOf, References } from './references.js';

const formAnnotations = ['toolname', 'tooldescription', 'tooltitle', 'toolautosubmit'];
const annotations = formAnnotations.flatMap((name) => [name, `data-${name}`]);

/** Observed everywhere: the attributes that make a form a tool, and references between elements. */
const everywhere: MutationObserverInit = withoutPrototype({
  subtree: true,
  childList: true,
  attributeOldValue: true,
  attributeFilter: [ignoreAttribute, ...annotations, ...idAttributes],
});

/** The attributes that can describe a tool. Pages change `class` and `style` too often to observe them. */
const describingAttributes = [
  ...['toolparamdescription', 'data-toolparamdescription', 'toolparamschema', 'name', 'type', 'value', 'checked'],
  ...['selected', 'disabled', 'readonly', 'required', 'min', 'max', 'step', 'minlength', 'maxlength', 'pattern'],
  ...['multiple', 'size', 'accept', 'autocomplete', 'list', 'label', 'title', 'placeholder', 'alt', 'role', 'hidden'],
  ...['aria-label', 'aria-labelledby', 'aria-description', 'aria-describedby', 'aria-hidden', 'command', 'commandfor'],
];

/** Observed in forms and in the subtrees that describe them. */
const inForms: MutationObserverInit = withoutPrototype({
  ...everywhere,
  characterData: true,
  attributeFilter: [ignoreAttribute, ...annotations, ...idAttributes, ...describingAttributes],
});
const onGroups: MutationObserverInit = withoutPrototype({
  attributeFilter: [...idAttributes, ...describingAttributes],
});

/** Whether a mutation only mirrors the user's typing. */
const isTyping = ({ attributeName, target }: MutationRecord): boolean =>
  attributeName === 'value' && isTypedIn(target as Element);

/**
 * Frameworks mirror typed text in the `value` attribute, which affects a tool only as the step base of numbers and dates.
 */
const isTypedIn = (control: Element): boolean =>
  domTree.localName(control) === 'input' &&
  applies.length.has(inputType(control) as 'text') &&
  activeElement(documentOf(control)) === control;

/** Describes the forms of an index, and marks a form when its description may have changed. */
export class LiveForms {
  /** Apart from added and removed nodes, only mutations that concern tools are observed. */
  readonly observed = everywhere;
  readonly #index: FormIndex;
  readonly #settings: Settings;
  readonly #names: NameConflicts;
  readonly #references = new References();
  readonly #dependencies = new DependencyIndex();
  /** Also contains removed forms, which continue their queue of calls when they are inserted again. */
  readonly #forms = new SafeWeakMap<Element, LiveForm>();
  /** The nodes with changes from before the forms were described. Agents may already know the forms in them. */
  readonly #changedBefore = new SafeSet<Node>();
  /** The removed forms that other forms may replace, with the names of their tools. */
  readonly #removed = new SafeMap<LiveForm, string>();
  /** Whether an agent has read the tools. */
  #isRead = false;

  constructor(index: FormIndex, settings: Settings, names: NameConflicts) {
    this.#index = index;
    this.#settings = settings;
    this.#names = names;
    for (const node of index.early ?? [])
      for (let up: Node | null = node; up && !this.#changedBefore.has(up); up = domTree.parent(up))
        this.#changedBefore.add(up);
    index.early = undefined;
  }

  /** Whether a form is read for a call. Until an agent has read all tools, only the form of the called tool is read. */
  isWanted(form: DiscoveredForm | undefined, called?: string | null): boolean {
    return this.#isRead || typeof called !== 'string' || form?.claimed === called;
  }

  /** Marks the forms that mutations concern. */
  read(records: readonly MutationRecord[]): void {
    const marked = new SafeSet<Node>();
    const walked = new SafeSet<Node>();
    for (const record of records) {
      if (isTyping(record)) continue;
      const { target, attributeName, oldValue } = record;
      if (!marked.has(target)) this.#markAround(target, walked);
      marked.add(target);
      if (!idAttributes.includes(attributeName as 'id')) continue;
      this.#references.update(target as Element);
      this.#markReferring([oldValue, ...idsOf(target as Element)]);
    }
  }

  /** Handles an element that was added to the page or removed from it, and its descendants. */
  visit(node: Node, elements: readonly Element[]): void {
    const isInPage = isInside(node, this.#index.scope);
    for (const element of elementsWithIds(node)) {
      if (isInPage) this.#references.update(element);
      else this.#references.remove(element);
      this.#markReferring(idsOf(element));
    }
    for (const element of elements) this.#mark(this.#dependencies.bySubtree.get(element));
  }

  /** Handles a change that causes no mutation. */
  change(element: Element): void {
    this.#markAround(element);
    this.#markReferring(idsOf(element));
  }

  /** Describes a form. */
  refresh(discovered: DiscoveredForm): void {
    const { element } = discovered;
    const form = this.#forms.get(element) ?? new LiveForm(element, this.#settings, this.#references, this.#index.mark);
    this.#forms.set(element, form);
    discovered.live = form;
    form.discovered = discovered;
    const before = form.dependencies;
    this.#index.observer.observe(element, inForms);
    const isDescribed = form.refresh();
    const { dependencies } = form;
    const isChanged = (node: Node): boolean => this.#changedBefore.delete(node);
    const hasChanged = isDescribed || [element, ...dependencies.subtrees].some(isChanged);
    this.#dependencies.update(element, before, dependencies);
    for (const each of dependencies.subtrees) this.#index.observer.observe(each, inForms);
    for (const each of dependencies.groups) this.#index.observer.observe(each, onGroups);
    this.#names.set(discovered, hasChanged);
  }

  remove(discovered: DiscoveredForm): void {
    this.#names.remove(discovered);
    const { live: form } = discovered;
    if (!form) return;
    this.#dependencies.update(form.element, form.dependencies, noDependencies);
    form.clear();
    this.#removed.set(form, discovered.registered ?? '');
  }

  /** Reports the diagnostics of a form that has only some annotations of a tool. */
  diagnose(element: Element): void {
    const { diagnose, tree } = this.#settings;
    const hasAny = (): boolean =>
      ['toolname', 'tooldescription'].some((name) => annotation(tree, element, name) !== null);
    if (!diagnose || !isInside(element, this.#index.scope) || !hasAny()) return;
    const form = new LiveForm(element, this.#settings, this.#references, () => undefined);
    diagnose(form.describe().description, element);
    form.clear();
  }

  /** Registers the tools, and notes a call of one of them. */
  settle(called?: string | null): void {
    this.#names.settle(called);
    for (const [form, name] of this.#removed) {
      const next = [...this.#index.forms.values()].find(({ registered }) => registered === name)?.live;
      if (!form.calls.move(next)) this.#removed.delete(form);
    }
    if (typeof called !== 'string') {
      this.#index.early = undefined;
      this.#isRead = true;
      return;
    }
    for (const { registered, live } of this.#index.forms.values()) if (registered === called) live?.calls.noteCall();
  }

  #mark(forms: Iterable<Element>): void {
    for (const form of forms) this.#index.mark(form);
  }

  /** Marks the forms that contain a node or depend on it. Skips ancestors in `walked`, which were already visited. */
  #markAround(node: Node, walked = new SafeSet<Node>()): void {
    this.#mark(this.#dependencies.byGroup.get(node));
    for (let up: Node | null = node; up !== null && !walked.has(up); up = domTree.parent(up)) {
      walked.add(up);
      const form = this.#index.forms.get(up);
      if (form) this.#index.mark(form.element);
      this.#mark(this.#dependencies.bySubtree.get(up));
    }
  }

  /** Marks the forms that look up one of the IDs. */
  #markReferring(ids: readonly (string | null)[]): void {
    for (const id of ids) if (id) this.#mark(this.#dependencies.byId.get(id));
  }
}
