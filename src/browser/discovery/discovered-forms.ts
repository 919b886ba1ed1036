import { ignoreAttribute } from '../../compiler/ignored.js';
import { SafeMap, SafeSet, withoutPrototype } from '../../platform/collections.js';
import {
  documentOf,
  htmlName,
  inclusiveDescendants,
  isElement,
  isInside,
  rootOf,
  shadowRoot,
} from '../../platform/dom.js';
import { reportError } from '../../platform/report-error.js';
import { isAborted, listen } from '../../platform/signals.js';
import { queueTask } from '../../platform/tasks.js';
import { DiscoveredForm } from './discovered-form.js';
import { addedBy, disconnect, observe, onShadowRoot, recordType, removedBy, takeRecords, targetOf } from './records.js';
import type { Registrations } from './registrations.js';

const observed: MutationObserverInit = withoutPrototype({
  subtree: true,
  childList: true,
  attributeFilter: [ignoreAttribute, 'toolname', 'tooldescription', 'data-toolname', 'data-tooldescription'],
});

export interface DiscoveryOptions {
  /** The name of a form's tool; null for a form that is not a tool. */
  readonly nameOf: (form: Element) => string | null;
  /** Undefined if tools cannot be registered without a description. */
  readonly registrations: Registrations | undefined;
  readonly onForm: (form: Element) => void;
}

/** Keeps the names of the annotated forms of a root registered. Nothing else is read before the first use of the tools. */
export class DiscoveredForms {
  readonly forms = new SafeMap<Node, DiscoveredForm>();
  readonly #root: Node;
  /** The tree scope of the root. */
  readonly #scope: Node;
  readonly #options: DiscoveryOptions;
  readonly #changed = new SafeSet<Element>();
  readonly #observer = new MutationObserver((records) => this.#read(records));
  readonly #controller = new AbortController();
  #isScheduled = false;
  /** Whether the scope has to be scanned: after loading, or after a mutation that could not be read. */
  #isUnread = true;

  constructor(root: Node, options: DiscoveryOptions) {
    const document = documentOf(root);
    const { signal } = this.#controller;
    this.#root = root;
    this.#scope = rootOf(root);
    this.#options = options;
    onShadowRoot(document, signal, (shadow) => isInside(shadow, this.#scope) && this.#observe(shadow));
    // Handling each mutation of the parser is slow. Scan once after loading.
    listen(document, 'readystatechange', () => this.update(), withoutPrototype({ once: true, signal }));
  }

  #mark(element: Element): void {
    if (htmlName(element) !== 'form') return;
    this.#changed.add(element);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueTask(() => {
      this.#isScheduled = false;
      this.update();
    });
  }

  /** Reads pending mutations, and registers names. */
  update(): void {
    if (isAborted(this.#controller.signal)) return;
    this.#read(takeRecords(this.#observer));
    if (this.#isUnread && documentOf(this.#root).readyState !== 'loading') {
      this.#isUnread = false;
      this.#observe(this.#scope);
    }
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const form of changed) {
      try {
        this.#refresh(form);
      } catch (error) {
        reportError(error); // an `annotate` that throws does not affect other forms
      }
    }
    this.#options.registrations?.retry(); // a script may have given up a name
  }

  /** Stops noticing. The forms stay registered. Returns whether there was a change to handle. */
  stop(): boolean {
    this.#read(takeRecords(this.#observer));
    const hasChanged = this.#changed.size > 0;
    this.update();
    disconnect(this.#observer);
    this.#controller.abort();
    return hasChanged;
  }

  /** Stops noticing, and removes the forms. */
  end(): void {
    this.stop();
    for (const form of this.forms.values()) this.#options.registrations?.remove(form);
    this.forms.clear();
  }

  #observe(root: Node): void {
    observe(this.#observer, root, observed);
    this.visit(root);
  }

  /** Marks the forms of a subtree, and observes its shadow trees. */
  visit(node: Node, visited?: Set<Node>): void {
    if (visited?.has(node)) return;
    for (const element of inclusiveDescendants(node)) {
      visited?.add(element);
      this.#mark(element);
      const shadow = shadowRoot(element);
      if (shadow) this.#observe(shadow);
    }
  }

  #read(records: readonly MutationRecord[]): void {
    const visited = new SafeSet<Node>();
    try {
      for (const record of records) {
        if (recordType(record) === 'attributes') this.visit(targetOf(record));
        for (const node of [...addedBy(record), ...removedBy(record)]) if (isElement(node)) this.visit(node, visited);
      }
    } catch (error) {
      this.#isUnread = true;
      reportError(error);
    }
  }

  #refresh(element: Element): void {
    const { nameOf, registrations, onForm } = this.#options;
    const name = isInside(element, this.#root, ignoreAttribute) ? nameOf(element) : null;
    const known = this.forms.get(element);
    if (name === null) {
      this.forms.delete(element);
      if (known) registrations?.remove(known);
      return;
    }
    const form = known ?? new DiscoveredForm(element);
    this.forms.set(element, form);
    if (!known) onForm(element);
    if (registrations && form.notice(name)) registrations.set(form);
  }
}
