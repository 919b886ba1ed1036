import type { Annotate } from '../../src/index.js';
import type { ElementDiagnostic } from '../diagnostic.js';
import { FormRegistration, type FormOptions, type FormWords } from './form-registration.js';
import { watchForms } from './form-watch.js';
import { controlsNamed, formById, isAnnotated, isForm } from './forms.js';
import { missingContext, modelContextOf, whenModelContext } from './model-context.js';
import { error, warning, type Problems } from './problems.js';
import { release, take } from './taken.js';

/** Which form is to be a tool, and what is said of it. */
export interface FormSpec {
  /** The ID that the form has; null if the form is inside the element. */
  readonly id: string | null;
  readonly options: FormOptions;
  /** Undefined while the tool has no valid name or no description. */
  readonly words: FormWords | undefined;
  readonly names: readonly string[];
}

/** The form that was found, until it is another one or elsewhere. */
interface Found {
  readonly form: HTMLFormElement;
  readonly root: Node;
  readonly controller: AbortController;
  isMine: boolean;
  /** Names of parameters that no control has. */
  unknown: readonly string[];
  registration?: FormRegistration | undefined;
  spec?: FormSpec;
}

/** The form of a `<webmcp-tool>`, whichever it is now. */
export class FormTool {
  readonly #element: HTMLElement;
  readonly #problems: Problems;
  #spec: FormSpec | undefined;
  #watched: { readonly root: Node; readonly controller: AbortController } | undefined;
  #found: Found | undefined;

  constructor(element: HTMLElement, problems: Problems) {
    this.#element = element;
    this.#problems = problems;
  }

  /** Takes what the element says now; undefined if it has no form. */
  set(spec: FormSpec | undefined): void {
    this.#spec = spec;
    this.#watch(spec && spec.id !== null ? this.#element.getRootNode() : undefined);
    this.update();
  }

  /** The form that is the element's own now. */
  get form(): HTMLFormElement | null {
    return this.#found?.isMine ? this.#found.form : null;
  }

  get annotate(): Annotate | undefined {
    return this.#found?.registration?.annotate;
  }

  /** Looks which form it is now. */
  readonly update = (): void => {
    if (this.#spec && !this.#element.isConnected) return; // it says so itself in a moment
    const named = this.#spec ? this.#find(this.#spec) : null;
    const form = isForm(named) && !isAnnotated(named) ? named : undefined;
    const root = form && Node.prototype.getRootNode.call(form);
    if (this.#found && (this.#found.form !== form || this.#found.root !== root)) this.#letGo(this.#found);
    if (form && root) this.#found ??= this.#hold(form, root);
    if (this.#found && this.#spec) this.#register(this.#found, this.#spec);
    this.#problems.set('form', this.#spec ? this.#findings(this.#spec, named) : []);
  };

  /** Tells what is wrong with the form as it is now. */
  diagnose(): void {
    this.#found?.registration?.diagnose();
  }

  #find({ id }: FormSpec): Element | null {
    if (id === null) return this.#element.querySelector('form');
    return id === '' ? null : formById(this.#element.getRootNode(), id);
  }

  #watch(root: Node | undefined): void {
    if (root === this.#watched?.root) return;
    this.#watched?.controller.abort();
    this.#watched = root && { root, controller: new AbortController() };
    if (this.#watched) watchForms(this.#watched.root, this.#watched.controller.signal, this.update);
  }

  #hold(form: HTMLFormElement, root: Node): Found {
    const found: Found = { form, root, controller: new AbortController(), isMine: false, unknown: [] };
    found.isMine = take(form, this, found.controller.signal, () => {
      found.isMine = take(form, this, found.controller.signal, this.update);
      this.update();
    });
    return found;
  }

  #letGo(found: Found): void {
    this.#found = undefined;
    found.registration?.stop();
    found.controller.abort();
    this.#problems.set('context', []);
    release(found.form, this);
  }

  #register(found: Found, spec: FormSpec): void {
    const isSame = found.spec === spec;
    const isOther = JSON.stringify(found.spec?.options) !== JSON.stringify(spec.options);
    if (!isSame || found.unknown.length > 0) found.unknown = unknownIn(found.form, spec.names);
    if (isSame && (found.registration || !spec.words)) return;
    found.spec = spec;
    if (isOther || !spec.words) this.#stop(found);
    if (!spec.words || !found.isMine) return;
    if (found.registration) found.registration.change(spec.words);
    else this.#begin(found, spec.words, spec.options);
  }

  #stop(found: Found): void {
    found.registration?.stop();
    found.registration = undefined;
  }

  #begin(found: Found, words: FormWords, options: FormOptions): void {
    const { ownerDocument } = this.#element;
    if (!modelContextOf(ownerDocument)) return this.#wait(found, ownerDocument);
    this.#problems.set('context', []);
    found.registration = new FormRegistration(found.form, words, (list) => this.#problems.set('registration', list));
    void found.registration.start(options);
  }

  #wait({ controller: { signal } }: Found, document: Document): void {
    missingContext(document, signal, (problem) => this.#problems.set('context', [problem]));
    whenModelContext(document, signal, this.update);
  }

  #findings({ id }: FormSpec, named: Element | null): readonly ElementDiagnostic[] {
    if (isForm(named) && isAnnotated(named)) return [error('form-is-annotated', messages.annotated)];
    if (this.#found) return this.#findingsOf(this.#found);
    const isLoaded = this.#element.ownerDocument.readyState === 'complete';
    return isLoaded ? [error('form-not-found', named ? messages.noForm(id) : messages.notFound(id))] : [];
  }

  #findingsOf({ isMine, unknown }: Found): readonly ElementDiagnostic[] {
    if (!isMine) return [error('form-is-taken', messages.taken)];
    return unknown.map((parameter) => warning('unknown-control', messages.unknown, { parameter }));
  }
}

const messages = {
  annotated:
    'The form is a tool by its own toolname and tooldescription, so this is none: remove those, or this <webmcp-tool>.',
  taken: 'Another <webmcp-tool> has this form, so this is none until that goes: remove one of them.',
  unknown:
    'No control of the form has the name of this <webmcp-param>: give it the name of the control that it describes.',
  notFound: (id: string | null) =>
    `There is no form with the ID "${id}" in the document or shadow root of this <webmcp-tool>: correct for="".`,
  noForm: (id: string | null) => `What has the ID "${id}" is no form: correct for="".`,
};

const unknownIn = (form: HTMLFormElement, names: readonly string[]): readonly string[] =>
  names.filter((name) => controlsNamed(form, name).length === 0);
