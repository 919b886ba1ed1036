import { ignoreAttribute } from '../../compiler/ignored.js';
import { SafeMap, SafeSet, SafeWeakMap } from '../../platform/collections.js';
import { listenFirst, onAbort } from '../../platform/signals.js';
import { inclusiveDescendants, isInside } from '../../platform/dom.js';
import { reportError } from '../../platform/report-error.js';
import { queueTask } from '../../platform/tasks.js';
import type { ToolHost } from '../../webmcp.js';
import { domTree, rootOf } from '../dom/dom-tree.js';
import type { DiscoveredRoot } from '../discovery/discover-forms.js';
import { DiscoveredForm } from '../discovery/discovered-form.js';
import { disconnect, observe, onShadowRoot, takeRecords } from '../discovery/records.js';
import type { Registrations } from '../discovery/registrations.js';
import type { Settings } from '../settings.js';
import { DependencyIndex, noDependencies } from './dependencies.js';
import { isAnnotated, LiveForm } from './live-form.js';
import { annotations, everywhere, inForms, onGroups, readMutation, type Mutation } from './mutations.js';
import { NameConflicts } from './name-conflicts.js';
import { elementsWithIds, idAttributes, idsOf, References } from './references.js';

/** Where forms are registered. */
export interface Registry {
  readonly host: ToolHost;
  readonly registrations: Registrations;
}

/**
 * Keeps the annotated forms of a root registered. Apart from added and removed nodes, only mutations that concern tools
 * are observed.
 */
export class LiveForms {
  /** The tree scope of the root: labels can be anywhere in it. */
  readonly #scope: Node;
  readonly #settings: Settings;
  readonly #host: ToolHost;
  readonly #registrations: Registrations;
  readonly #names: NameConflicts;
  /** The forms that were discovered before, and may be registered. */
  readonly #discovered = new SafeWeakMap<Node, DiscoveredForm>();
  readonly #isTool: (form: Element) => boolean;
  readonly #observer = new MutationObserver((records) => this.#handleMutations(records));
  readonly #forms = new SafeMap<Node, LiveForm>();
  readonly #references = new References();
  /** Also contains removed forms, which continue their queue of calls when they are inserted again. */
  readonly #allForms = new SafeWeakMap<Node, LiveForm>();
  readonly #dependencies = new DependencyIndex<LiveForm>();
  readonly #dirty = new SafeSet<LiveForm>();
  #isScheduled = false;
  /** Whether an agent has read the tools. */
  #isRead = false;
  #loadingDocument: Document | undefined;
  /** Whether reading mutations failed, because the page has patched a built-in. */
  #hasLostMutations = false;
  #hasEnded = false;

  constructor(discovered: DiscoveredRoot, settings: Settings, { host, registrations }: Registry) {
    const { root, discoveredForms } = discovered;
    this.#scope = rootOf(root);
    this.#settings = settings;
    this.#host = host;
    this.#registrations = registrations;
    this.#names = new NameConflicts(registrations);
    for (const [element, form] of discoveredForms.forms) this.#discovered.set(element, form);
    discoveredForms.forms.clear();
    this.#isTool = (form) =>
      isAnnotated(settings, form) && discovered.isOurs(form) && isInside(form, root, ignoreAttribute);
  }

  /** @param isUrgent - whether the forms are described in a task, and not only when an agent reads their tools */
  start(document: Document, signal: AbortSignal | undefined, isUrgent: boolean): void {
    this.#isScheduled = !isUrgent;
    onShadowRoot(document, signal, (shadow) => isInside(shadow, this.#scope) && this.#observe(shadow));
    if (isLoading(document)) {
      // Handling each mutation of the parser is slow. Scan once after loading, or when the tools are read.
      this.#loadingDocument = document;
      listenFirst(document, 'readystatechange', () => this.update(), signal);
    } else {
      this.#observe(this.#scope);
    }
    this.#isScheduled &&= isUrgent;
    this.#host.onBeforeRead((called) => {
      this.update(called);
      if (called === undefined) return;
      for (const { registered, calls } of this.#forms.values()) if (registered === called) calls.noteCall();
    }, signal);
    onAbort(signal, () => this.#end());
  }

  retry(): void {
    this.#registrations.retry();
  }

  /** Handles a change that causes no mutation. */
  markChanged(element: Element): void {
    this.#markAround(element);
    this.#markReferring(element);
  }

  /** Updates the tools: only a called one, as long as nobody has read the others. */
  update(called?: string): void {
    if (this.#hasEnded) return;
    this.#handleMutations(takeRecords(this.#observer));
    if (this.#loadingDocument && !isLoading(this.#loadingDocument)) {
      this.#loadingDocument = undefined;
      this.#observe(this.#scope);
    } else if (this.#loadingDocument || this.#hasLostMutations) {
      this.#hasLostMutations = false;
      this.#scan(this.#scope);
      this.#markDirty(this.#forms.values());
    }
    this.#isRead ||= called === undefined;
    const isCalled = ({ registered, waitsFor }: DiscoveredForm): boolean =>
      called !== undefined && (registered === called || waitsFor === called);
    const dirty = [...this.#dirty].filter(({ discovered }) => this.#isRead || isCalled(discovered));
    for (const form of dirty) {
      this.#dirty.delete(form);
      this.#updateForm(form);
    }
    this.#names.settle();
  }

  /** An error in one form, for example in a custom element, does not affect other forms. */
  #updateForm(form: LiveForm): void {
    try {
      if (this.#isTool(form.element)) this.#refresh(form);
      else this.#remove(form);
    } catch (error) {
      this.#dirty.add(form); // retried by the next update
      reportError(error);
    }
  }

  #end(): void {
    this.#hasEnded = true;
    disconnect(this.#observer);
    for (const form of [...this.#forms.values()]) this.#remove(form);
  }

  #observe(root: Node): void {
    observe(this.#observer, root, everywhere);
    this.#scan(root);
  }

  /**
   * Adds the forms, shadow roots and references of a subtree. `scanned` avoids repeated work, because parsers report an
   * element and its descendants separately.
   */
  #scan(node: Node, scanned = new SafeSet<Node>()): void {
    if (scanned.has(node)) return;
    for (const element of elementsWithIds(node)) {
      this.#references.update(element);
      this.#markReferring(element);
    }
    for (const element of inclusiveDescendants(node)) {
      scanned.add(element);
      if (domTree.localName(element) === 'form') this.#addForm(element);
      const shadow = domTree.shadowRoot(element);
      if (shadow) this.#observe(shadow);
    }
  }

  /** Marks the forms that look up an ID of the element. */
  #markReferring(element: Element): void {
    if (this.#forms.size > 0) for (const id of idsOf(element)) this.#markDirty(this.#dependencies.byId.get(id));
  }

  #addForm(element: Element): void {
    if (this.#forms.has(element)) return;
    const form = this.#allForms.get(element) ?? this.#createForm(element);
    try {
      if (!this.#isTool(element)) return form.diagnose();
    } catch {
      // The update reports it: an `annotate` that throws does not affect other forms.
    }
    this.#allForms.set(element, form);
    this.#forms.set(element, form);
    observe(this.#observer, element, inForms);
    this.#markDirty([form]);
  }

  #createForm(element: Element): LiveForm {
    const discovered = this.#discovered.get(element) ?? new DiscoveredForm(element);
    return new LiveForm(discovered, this.#settings, this.#references);
  }

  #markDirty(forms: Iterable<LiveForm>): void {
    for (const form of forms) {
      this.#dirty.add(form);
      if (!this.#isScheduled) {
        queueTask(() => {
          this.#isScheduled = false;
          this.update();
        });
      }
      this.#isScheduled = true;
    }
  }

  #handleMutations(records: readonly MutationRecord[]): void {
    const marked = new SafeSet<Node>();
    const walked = new SafeSet<Node>();
    const removed = new SafeSet<Node>();
    const added = new SafeSet<Node>();
    try {
      for (const record of records) {
        const mutation = readMutation(record);
        if (!mutation) continue;
        if (!marked.has(mutation.target)) this.#markAround(mutation.target, walked);
        marked.add(mutation.target);
        if (mutation.attribute !== undefined) this.#handleAttribute(mutation.target as Element, mutation);
        if (mutation.attribute === ignoreAttribute) for (const nodes of [removed, added]) nodes.add(mutation.target);
        for (const node of mutation.removed) removed.add(node);
        for (const node of mutation.added) added.add(node);
      }
      this.#handleNodes(added, removed);
    } catch (error) {
      this.#hasLostMutations = true;
      reportError(error);
    }
  }

  /** Marks the forms that contain a node or depend on it. Each ancestor in `walked` has been visited. */
  #markAround(node: Node, walked = new SafeSet<Node>()): void {
    this.#markDirty(this.#dependencies.byGroup.get(node));
    for (let up: Node | null = node; up !== null && !walked.has(up); up = domTree.parent(up)) {
      walked.add(up);
      const form = this.#forms.get(up);
      if (form) this.#markDirty([form]);
      this.#markDirty(this.#dependencies.bySubtree.get(up));
    }
  }

  #handleAttribute(target: Element, { attribute = '', oldValue }: Mutation): void {
    if (idAttributes.includes(attribute as 'id')) {
      this.#references.update(target);
      for (const id of [oldValue, ...idsOf(target)]) if (id) this.#markDirty(this.#dependencies.byId.get(id));
    } else if (annotations.includes(attribute) && domTree.localName(target) === 'form') {
      this.#addForm(target);
    }
  }

  /** A node may have been removed and added many times. */
  #handleNodes(added: Iterable<Node>, removed: Iterable<Node>): void {
    const cleared = new SafeSet<Node>();
    const scanned = new SafeSet<Node>();
    for (const node of removed) if (domTree.isElement(node)) this.#handleRemoved(node, cleared);
    for (const node of added) {
      if (domTree.isElement(node) && !scanned.has(node) && isInside(node, this.#scope)) this.#scan(node, scanned);
    }
  }

  #handleRemoved(node: Node, cleared: Set<Node>): void {
    if (cleared.has(node)) return;
    for (const element of elementsWithIds(node)) {
      this.#references.remove(element);
      this.#markReferring(element);
    }
    for (const element of inclusiveDescendants(node)) {
      const form = this.#forms.get(element);
      if (form) this.#markDirty([form]);
      this.#markDirty(this.#dependencies.bySubtree.get(element));
      cleared.add(element);
      const shadow = domTree.shadowRoot(element);
      if (shadow) this.#handleRemoved(shadow, cleared);
    }
  }

  #refresh(form: LiveForm): void {
    const before = form.dependencies;
    const hasChanged = form.refresh();
    this.#dependencies.update(form, before, form.dependencies);
    for (const element of form.dependencies.subtrees) observe(this.#observer, element, inForms);
    for (const element of form.dependencies.groups) observe(this.#observer, element, onGroups);
    this.#names.set(form, hasChanged);
  }

  #remove(form: LiveForm): void {
    this.#forms.delete(form.element);
    this.#dependencies.update(form, form.dependencies, noDependencies);
    this.#names.remove(form);
    form.clear();
    form.calls.end('removed');
  }
}

const isLoading = (document: Document): boolean => document.readyState === 'loading';
