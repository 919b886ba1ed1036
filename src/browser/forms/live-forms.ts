import { method } from '../../platform/primordials.js';
import { withoutPrototype, SafeMap, SafeSet, SafeWeakMap } from '../../platform/collections.js';
import { listen, onAbort } from '../../platform/signals.js';
import { queueTask } from '../../platform/tasks.js';
import type { ToolHost } from '../../webmcp.js';
import { domTree, hostAround, query } from '../dom/dom-tree.js';
import { Interests, none } from './dependencies.js';
import { isAnnotated, LiveForm } from './live-form.js';
import {
  annotations,
  disconnect,
  everywhere,
  inForms,
  observe,
  ofGroups,
  readMutation,
  takeRecords,
  type Mutation,
} from './mutations.js';
import { idsOf, References, references, referring } from './references.js';
import { Registrations } from './registrations.js';
import type { Settings } from '../settings.js';
import { report } from '../dom/report.js';
import { onShadowRoot } from '../dom/shadow-roots.js';

const getRootNode = method<Node, [], Node>('Node', 'getRootNode');

/**
 * Keeps the annotated forms of a root registered, at the cost of what changes: a mutation that concerns no tool form is
 * not even seen, unless it adds or removes nodes.
 */
export class LiveForms {
  /** The document or shadow root of what is registered: labels may be anywhere in it. */
  readonly #scope: Node;
  readonly #settings: Settings;
  readonly #host: ToolHost;
  readonly #registrations: Registrations;
  readonly #isTool: (form: Element) => boolean;
  readonly #observer = new MutationObserver((records) => this.#take(records));
  readonly #forms = new SafeMap<Node, LiveForm>();
  readonly #references = new References();
  /** All that were ever registered: one that comes back has the same queue of calls. */
  readonly #past = new SafeWeakMap<Node, LiveForm>();
  readonly #interests = new Interests<LiveForm>();
  readonly #dirty = new SafeSet<LiveForm>();
  #isScheduled = false;
  /** The document, while it is parsed. */
  #parsed: Document | undefined;
  /** Whether mutations were lost, because a page has patched what reading them needs. */
  #hasLost = false;
  #isOver = false;

  constructor(root: Node, settings: Settings, host: ToolHost, isOurs: (form: Element) => boolean) {
    this.#scope = getRootNode(root);
    this.#settings = settings;
    this.#host = host;
    this.#registrations = new Registrations(host);
    this.#isTool = (form) => isAnnotated(settings, form) && isOurs(form) && isInside(form, root);
  }

  /** Begins, until a signal aborts. */
  start(document: Document, signal: AbortSignal | undefined): void {
    onShadowRoot(document, signal, (shadow) => isInside(shadow, this.#scope) && this.#enter(shadow));
    if (isLoading(document)) this.#wait(document, signal);
    else this.#enter(this.#scope);
    this.#host.onBeforeRead((called) => {
      this.update();
      if (called !== undefined) this.#named(called)?.calls.isCalled();
    }, signal);
    onAbort(signal, () => this.#end());
  }

  /** What a parser adds is read at its end, or when somebody asks for the tools: node by node would take much longer. */
  #wait(document: Document, signal: AbortSignal | undefined): void {
    this.#parsed = document;
    listen(
      document,
      'readystatechange',
      () => this.update(),
      withoutPrototype({ once: true, ...(signal && { signal }) }),
    );
  }

  /** Reads what the parser has added so far; observes the rest once it is done. */
  #readParsed(document: Document): void {
    if (isLoading(document)) return this.#readAll();
    this.#parsed = undefined;
    this.#enter(this.#scope);
  }

  #readAll(): void {
    this.#hasLost = false;
    this.#find(this.#scope);
    this.#soilAll(this.#forms.values());
  }

  /** Tries again to register the forms whose names were taken. */
  retry(): void {
    this.#registrations.retry();
  }

  /** Takes notice of a change that no mutation tells. */
  takeChange(element: Element): void {
    this.#touch(element);
    this.#takeIds(element);
  }

  /** Brings the tools up to date with all that has changed so far. */
  update(): void {
    if (this.#isOver) return;
    this.#take(takeRecords(this.#observer));
    if (this.#parsed) this.#readParsed(this.#parsed);
    else if (this.#hasLost) this.#readAll();
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    for (const form of dirty) this.#updateForm(form);
  }

  /** What goes wrong with one form, such as an error in a page's own element, is no other form's. */
  #updateForm(form: LiveForm): void {
    try {
      if (this.#isTool(form.element)) this.#refresh(form);
      else this.#drop(form);
    } catch (error) {
      this.#dirty.add(form); // until somebody asks again
      report(error);
    }
  }

  #named(name: string): LiveForm | undefined {
    return [...this.#forms.values()].find(({ registered }) => registered === name);
  }

  #end(): void {
    this.#isOver = true;
    disconnect(this.#observer);
    for (const form of [...this.#forms.values()]) this.#drop(form);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueTask(() => {
      this.#isScheduled = false;
      this.update();
    });
  }

  /** Observes a document or a shadow root, and takes what is in it. */
  #enter(root: Node): void {
    observe(this.#observer, root, everywhere);
    this.#find(root);
  }

  /**
   * Takes the forms and the shadow roots of a subtree, and what refers to others in it. A parser tells of each element
   * that it adds, and so of those in others: none is taken twice.
   */
  #find(node: Node, found = new SafeSet<Node>()): void {
    if (found.has(node)) return;
    for (const element of referring(node)) {
      this.#references.add(element);
      this.#takeIds(element);
    }
    for (const element of elementsIn(node)) {
      found.add(element);
      if (domTree.localName(element) === 'form') this.#consider(element);
      const shadow = domTree.shadowRoot(element);
      if (shadow) this.#enter(shadow);
    }
  }

  /** An element that came or went may be what an ID of a form stands for. */
  #takeIds(element: Element): void {
    if (this.#forms.size > 0) for (const id of idsOf(element)) this.#soilAll(this.#interests.byId(id));
  }

  #consider(element: Element): void {
    if (this.#forms.has(element)) return;
    const form = this.#past.get(element) ?? new LiveForm(element, this.#settings, this.#references);
    if (!this.#isTool(element)) return form.diagnose();
    this.#past.set(element, form);
    this.#forms.set(element, form);
    observe(this.#observer, element, inForms);
    this.#soil(form);
  }

  #soil(form: LiveForm): void {
    this.#dirty.add(form);
    this.#schedule();
  }

  #soilAll(forms: Iterable<LiveForm>): void {
    for (const form of forms) this.#soil(form);
  }

  #take(records: readonly MutationRecord[]): void {
    try {
      this.#takeAll(records);
    } catch (error) {
      this.#hasLost = true;
      report(error);
    }
  }

  #takeAll(records: readonly MutationRecord[]): void {
    const seen = new SafeSet<Node>();
    const found = new SafeSet<Node>();
    for (const record of records) {
      const mutation = readMutation(record);
      if (!mutation) continue;
      if (!seen.has(mutation.target)) this.#touch(mutation.target);
      seen.add(mutation.target);
      if (mutation.attribute !== undefined) this.#takeAttribute(mutation.target as Element, mutation);
      this.#takeNodes(mutation, found);
    }
  }

  /** The forms around a node, and those that a node around it describes. */
  #touch(node: Node): void {
    this.#soilAll(this.#interests.inGroup(node));
    for (let up: Node | null = node; up !== null; up = domTree.parent(up)) {
      const form = this.#forms.get(up);
      if (form) this.#soil(form);
      this.#soilAll(this.#interests.inTree(up));
    }
  }

  #takeAttribute(target: Element, { attribute = '', before }: Mutation): void {
    if (references.includes(attribute as 'id')) {
      this.#references.add(target);
      for (const id of [before, ...idsOf(target)]) if (id) this.#soilAll(this.#interests.byId(id));
    } else if (annotations.includes(attribute) && domTree.localName(target) === 'form') {
      this.#consider(target);
    }
  }

  #takeNodes({ added, removed }: Mutation, found: Set<Node>): void {
    for (const node of removed) if (domTree.isElement(node)) this.#lose(node, found);
    for (const node of added) {
      if (domTree.isElement(node) && !found.has(node) && isInside(node, this.#scope)) this.#find(node, found);
    }
  }

  /** The forms in a subtree that went away. */
  #lose(node: Node, found: Set<Node>): void {
    for (const element of referring(node)) {
      this.#references.remove(element);
      this.#takeIds(element);
    }
    for (const element of elementsIn(node)) {
      const form = this.#forms.get(element);
      if (form) this.#soil(form);
      this.#soilAll(this.#interests.inTree(element));
      found.delete(element); // it may come back
      const shadow = domTree.shadowRoot(element);
      if (shadow) this.#lose(shadow, found);
    }
  }

  #refresh(form: LiveForm): void {
    const before = form.interest;
    const isOther = form.refresh();
    this.#interests.change(form, before, form.interest);
    for (const element of form.interest.trees) observe(this.#observer, element, inForms);
    for (const element of form.interest.groups) observe(this.#observer, element, ofGroups);
    if (isOther) this.#registrations.set(form);
  }

  #drop(form: LiveForm): void {
    this.#forms.delete(form.element);
    this.#interests.change(form, form.interest, none);
    this.#registrations.remove(form);
    form.forget();
    form.calls.end('removed');
  }
}

/** Whether a node is in another, be it in a shadow tree. */
function isInside(node: Node, root: Node): boolean {
  for (let up: Node | null = node; up !== null; up = domTree.parent(up) ?? hostAround(up)) {
    if (up === root) return true;
  }
  return false;
}

/** An element, or only what is in a root, with all elements below. */
const elementsIn = (node: Node): readonly Element[] =>
  domTree.isElement(node) ? [node, ...query(node, '*')] : query(node, '*');

const isLoading = (document: Document): boolean => document.readyState === 'loading';
