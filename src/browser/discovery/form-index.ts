import { ignoreAttribute } from '../../compiler/ignored.js';
import { SafeMap, SafeSet, withoutPrototype } from '../../platform/collections.js';
import {
  documentOf,
  htmlName,
  inclusiveDescendants,
  isElement,
  isInside,
  isLoading,
  rootOf,
  shadowRoot,
  windowOf,
} from '../../platform/dom.js';
import { queueTask, reportError } from '../../platform/tasks.js';
import { listenToPrototype } from '../../platform/patched-prototypes.js';
import { apply } from '../../platform/primordials.js';
import { define, operation } from '../../platform/properties.js';
import { listen, onAbort } from '../../platform/signals.js';
import type { LiveForms } from '../forms/live-forms.js';
import type { DiscoveredRoot } from './discover-forms.js';
import { DiscoveredForm } from './registrations.js';

/** The attributes that decide which forms are tools. */
const decisive = [ignoreAttribute, 'toolname', 'tooldescription', 'data-toolname', 'data-tooldescription'];

const observed: MutationObserverInit = withoutPrototype({ subtree: true, childList: true, attributeFilter: decisive });
const everything: MutationObserverInit = withoutPrototype({
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
});

/**
 * The annotated forms of a root. Only their names are read and registered, until `describe` adds their descriptions and
 * registers their tools.
 */
export class FormIndex {
  readonly forms = new SafeMap<Node, DiscoveredForm>();
  /** The tree scope of the root: labels can be anywhere in it. */
  readonly scope: Node;
  /** The nodes that have changed since the first use of the tools. Undefined before that use, and once forms are described. */
  early: Node[] | undefined;
  readonly #discovered: DiscoveredRoot;
  /** The forms to read again, tools or not. */
  readonly #changed = new SafeSet<Element>();
  readonly observer = new MutationObserver((records) => this.#read(records));
  #live: LiveForms | undefined;
  #isScheduled = false;
  /** Whether the scope has to be scanned: after loading, for descriptions, or after a mutation that could not be read. */
  #isUnread = true;

  constructor(discovered: DiscoveredRoot) {
    const { root, options } = discovered;
    const { signal } = options;
    const document = documentOf(root);
    this.scope = rootOf(root);
    this.#discovered = discovered;
    onShadowRoot(document, signal, (shadow) => isInside(shadow, this.scope) && this.#observe(shadow, this.mark));
    // Handling each mutation of the parser is slow. Scan once after loading.
    listen(document, 'readystatechange', () => this.update(), withoutPrototype({ once: true, signal }));
    onAbort(signal, () => this.#end());
  }

  /** Describes the forms when an agent reads their tools, or in a task if `isUrgent`. */
  describe(live: LiveForms, isUrgent: boolean): void {
    this.#live = live;
    this.#isUnread = true;
    if (isUrgent) this.#schedule();
  }

  /** Marks a form to be read again in a task. */
  readonly mark = (form: Element): void => {
    this.#changed.add(form);
    this.#schedule();
  };

  /** Handles a change that causes no mutation. */
  change(element: Element): void {
    this.#visit(element, this.mark);
    this.#live?.change(element);
  }

  /**
   * Reads pending mutations, and registers the tools.
   *
   * @param called - the name of the only tool that is read; null at the first use of the tools
   */
  update(called?: string | null): void {
    const { options, registrations } = this.#discovered;
    if (options.signal?.aborted) return;
    if (called === null) {
      this.early = [];
      this.#isUnread = true;
    }
    this.#read(this.observer.takeRecords());
    this.#scan();
    for (const element of [...this.#changed]) {
      if (this.#live?.isWanted(this.forms.get(element), called) === false) continue;
      this.#changed.delete(element);
      try {
        this.#refresh(element);
      } catch (error) {
        this.#changed.add(element); // read again by the next update
        reportError(error); // an exception of `annotate` or of a custom element does not affect other forms
      }
    }
    if (this.#live) this.#live.settle(called);
    else registrations?.retry(); // a script may have unregistered a tool of the same name
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueTask(() => {
      this.#isScheduled = false;
      this.update();
    });
  }

  #end(): void {
    this.observer.disconnect();
    for (const form of this.forms.values()) this.#remove(form);
    this.#live?.settle(); // a form of another root may have the name of a removed form
  }

  #observe(root: Node, mark: (form: Element) => void): void {
    this.observer.observe(root, this.#live?.observed ?? (this.early ? everything : observed));
    this.#visit(root, mark);
  }

  /** Marks the forms of a subtree and of its shadow trees, and observes these shadow trees. */
  #visit(node: Node, mark: (form: Element) => void, visited?: Set<Node>): void {
    if (visited?.has(node)) return;
    const elements = inclusiveDescendants(node);
    this.#live?.visit(node, elements);
    for (const element of elements) {
      visited?.add(element);
      if (htmlName(element) === 'form') mark(element);
      const shadow = shadowRoot(element);
      if (shadow) this.#observe(shadow, mark);
    }
  }

  #read(records: readonly MutationRecord[]): void {
    const visited = new SafeSet<Node>();
    this.#try(() => {
      this.#live?.read(records);
      for (const record of records) {
        const { attributeName, target, addedNodes, removedNodes } = record;
        this.early?.push(target);
        const nodes = decisive.includes(attributeName as string) ? [target] : [...addedNodes, ...removedNodes];
        for (const node of nodes) if (isElement(node)) this.#visit(node, this.mark, visited);
      }
    });
  }

  /**
   * If `#isUnread`, marks all forms and, once the page has loaded, observes the scope. Until the forms are described, does
   * nothing before the page has loaded.
   */
  #scan(): void {
    const hasMore = isLoading(this.scope);
    if (!this.#isUnread || (hasMore && !this.#live)) return;
    this.#isUnread = hasMore;
    this.#try(() => {
      // Marks forms without scheduling an update: the caller updates them.
      const mark = (form: Element): void => void this.#changed.add(form);
      for (const { element } of this.forms.values()) mark(element);
      if (hasMore) this.#visit(this.scope, mark);
      else this.#observe(this.scope, mark);
    });
  }

  #try(steps: () => void): void {
    try {
      steps();
    } catch (error) {
      this.#isUnread = true;
      reportError(error);
    }
  }

  #refresh(element: Element): void {
    const { registrations } = this.#discovered;
    const name = this.#discovered.nameOf(element);
    const known = this.forms.get(element);
    if (name === null) {
      if (known) this.#remove(known);
      else this.#live?.diagnose(element);
      return;
    }
    const form = known ?? new DiscoveredForm(element);
    this.forms.set(element, form);
    if (this.#live) this.#live.refresh(form);
    else if (registrations && form.notice(name)) registrations.set(form);
  }

  #remove(form: DiscoveredForm): void {
    this.forms.delete(form.element);
    this.#live?.remove(form);
    this.#discovered.registrations?.remove(form);
  }
}

/** Until a signal aborts, reports open shadow roots that scripts attach: MutationObserver does not report them. */
function onShadowRoot(
  document: Document,
  signal: AbortSignal | undefined,
  listener: (shadow: ShadowRoot) => void,
): void {
  const prototype = windowOf(document)?.Element.prototype;
  if (!prototype) return;
  listenToPrototype(prototype, listener, signal, (notify) => {
    const attachShadow = Reflect.get(prototype, 'attachShadow') as () => ShadowRoot;
    const patched = operation('attachShadow', 1, function (this: unknown, ...args) {
      const shadow = apply(attachShadow, this, args);
      if (shadow.mode === 'open') notify(shadow);
      return shadow;
    });
    define(prototype, 'attachShadow', patched);
  });
}
