import { formMessages as messages } from '../../../src/compiler/tool-element/form-messages.js';
import type { FormSelector } from '../../../src/compiler/tool-element/form-selector.js';
import type { Annotate } from '../../../src/index.js';
import { modelContextOf } from '../../../src/platform/model-context.js';
import type { ElementDiagnostic } from '../../diagnostic.js';
import { isForm, isIgnored, rootOf } from '../../form-access.js';
import { annotationNames } from '../annotation-names.js';
import { error, warning, type Diagnostics } from '../diagnostics.js';
import { reportMissingContext, whenModelContext } from '../model-context.js';
import {
  controlsNamed,
  FormRegistration,
  isAnnotated,
  placeOf,
  selectedElements,
  type FormOptions,
  type FormTexts,
} from './form-registration.js';

/** The tools that refer to a form. If there are several, none uses the form, because one may be in a visitor's content. */
const claims = new WeakMap<Element, Set<FormTool>>();

const isTaken = (form: Element): boolean => (claims.get(form)?.size ?? 0) > 1;

function claim(form: Element, tool: FormTool): void {
  const tools = claims.get(form) ?? new Set();
  claims.set(form, tools);
  const [only] = tools;
  if (tools.add(tool).size === 2) only?.update();
}

function release(form: Element, tool: FormTool): void {
  const tools = claims.get(form);
  if (!tools?.delete(tool) || tools.size !== 1) return;
  for (const only of tools) only.update();
}

/** The form of a tool and its annotations. */
export interface FormSpec {
  /** Empty for a form inside the element. */
  readonly selector: FormSelector;
  /** Whether the form may be absent. */
  readonly isOptional: boolean;
  readonly options: FormOptions;
  /** Undefined while the name or the description is invalid. */
  readonly texts: FormTexts | undefined;
  readonly names: readonly string[];
}

/** A form and its root. It is released when the element's form changes or moves to another root. */
interface Target {
  readonly form: HTMLFormElement;
  readonly root: Node;
  readonly controller: AbortController;
  /** The parameter names that match no control. */
  unknownNames: readonly string[];
  registration?: FormRegistration | undefined;
  spec?: FormSpec;
}

/** The current form of a `<webmcp-tool>`. */
export class FormTool {
  readonly #element: HTMLElement;
  readonly #diagnostics: Diagnostics;
  #spec: FormSpec | undefined;
  #watched: { readonly root: Node; readonly controller: AbortController } | undefined;
  #target: Target | undefined;

  constructor(element: HTMLElement, diagnostics: Diagnostics) {
    this.#element = element;
    this.#diagnostics = diagnostics;
  }

  /** @param spec - undefined if the element has no form */
  set(spec: FormSpec | undefined): void {
    this.#spec = spec;
    this.#watch(spec && spec.selector.length > 0 ? this.#element.getRootNode() : undefined);
    this.update();
  }

  get form(): HTMLFormElement | null {
    return this.#target && !isTaken(this.#target.form) ? this.#target.form : null;
  }

  get annotate(): Annotate | undefined {
    return this.#target?.registration?.annotate;
  }

  readonly update = (): void => {
    if (this.#spec && !this.#element.isConnected) return; // a lifecycle callback follows
    const found = this.#spec ? this.#find(this.#spec) : [];
    const form = found.length === 1 && isForm(found[0]) && !isAnnotated(found[0]) ? found[0] : undefined;
    const root = form && rootOf(form);
    if (this.#target && (this.#target.form !== form || this.#target.root !== root)) this.#release(this.#target);
    if (form && root && !this.#target) {
      this.#target = { form, root, controller: new AbortController(), unknownNames: [] };
      claim(form, this);
    }
    if (this.#target && this.#spec) this.#register(this.#target, this.#spec);
    this.#diagnostics.set('form', this.#spec ? this.#diagnosticsOf(this.#spec, found) : []);
  };

  diagnose(): void {
    this.#target?.registration?.diagnose();
  }

  #find({ selector }: FormSpec): readonly Element[] {
    if (selector.length === 0) return [...this.#element.querySelectorAll('form')].filter((form) => !isIgnored(form));
    return selectedElements(this.#element.getRootNode(), selector);
  }

  #watch(root: Node | undefined): void {
    if (root === this.#watched?.root) return;
    this.#watched?.controller.abort();
    this.#watched = root && { root, controller: new AbortController() };
    if (this.#watched) watchForms(this.#watched.root, this.#watched.controller.signal, this.update);
  }

  #release(target: Target): void {
    this.#target = undefined;
    target.registration?.stop();
    target.controller.abort();
    this.#diagnostics.set('context', []);
    release(target.form, this);
  }

  #register(target: Target, spec: FormSpec): void {
    const isSame = target.spec === spec;
    const hasOtherOptions = JSON.stringify(target.spec?.options) !== JSON.stringify(spec.options);
    if (!isSame || target.unknownNames.length > 0)
      target.unknownNames = spec.names.filter((name) => controlsNamed(target.form, name).length === 0);
    const texts = isTaken(target.form) ? undefined : spec.texts;
    if (isSame && !target.registration === !texts) return;
    target.spec = spec;
    if (hasOtherOptions || !texts) {
      target.registration?.stop();
      target.registration = undefined;
    }
    if (!texts) return;
    if (target.registration) target.registration.change(texts);
    else this.#start(target, texts, spec.options);
  }

  #start(target: Target, texts: FormTexts, options: FormOptions): void {
    const { ownerDocument } = this.#element;
    const { signal } = target.controller;
    if (!modelContextOf(ownerDocument.defaultView)) {
      reportMissingContext(ownerDocument, signal, (diagnostic) => this.#diagnostics.set('context', [diagnostic]));
      return whenModelContext(ownerDocument, signal, this.update);
    }
    this.#diagnostics.set('context', []);
    target.registration = new FormRegistration(target.form, texts, (list) =>
      this.#diagnostics.set('registration', list),
    );
    void target.registration.start(options);
  }

  #diagnosticsOf({ selector, isOptional }: FormSpec, found: readonly Element[]): readonly ElementDiagnostic[] {
    const [named] = found;
    if (found.length > 1) return [error('form-not-found', messages.repeated(selector, found.slice(0, 2).map(placeOf)))];
    if (isForm(named) && isAnnotated(named)) return [error('form-is-annotated', messages.annotated)];
    if (!this.#target) {
      const isReported = this.#element.ownerDocument.readyState === 'complete' && !(isOptional && !named);
      return isReported ? [error('form-not-found', messages[named ? 'notForm' : 'notFound'](selector))] : [];
    }
    if (isTaken(this.#target.form)) return [error('form-is-taken', messages.taken)];
    return this.#target.unknownNames.map((parameter) =>
      warning('unknown-control', messages.unknownControl, { parameter }),
    );
  }
}

interface Watch {
  readonly observer: MutationObserver;
  readonly callbacks: Set<() => void>;
}

const watches = new WeakMap<Node, Watch>();

/**
 * Runs a callback when a form of a document or shadow root may have been added, removed, or changed in its ID, name, action or
 * annotations. All watchers of a root share one observer.
 */
function watchForms(root: Node, signal: AbortSignal, callback: () => void): void {
  const watch = watches.get(root) ?? startWatch(root);
  watch.callbacks.add(callback);
  const stop = (): void => {
    watch.callbacks.delete(callback);
    if (watch.callbacks.size > 0) return;
    watch.observer.disconnect();
    watches.delete(root);
  };
  signal.addEventListener('abort', stop, { once: true });
}

function startWatch(root: Node): Watch {
  const callbacks = new Set<() => void>();
  const observer = new MutationObserver(() => callbacks.forEach((callback) => callback()));
  observer.observe(root, {
    subtree: true,
    childList: true,
    attributeFilter: ['id', 'name', 'action', ...annotationNames],
  });
  const watch = { observer, callbacks };
  watches.set(root, watch);
  return watch;
}
