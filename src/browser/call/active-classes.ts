import { getAttribute } from '../../platform/dom.js';
import { onAbort } from '../../platform/signals.js';
import { classList, removeAttribute } from '../dom/members.js';
import type { RunningCall } from './running-call.js';

/** Scripts cannot set pseudo-classes, so classes with the same names are set instead. */
const formActive = ':tool-form-active';
const submitActive = ':tool-submit-active';

export class ActiveClasses {
  readonly #form: Element;
  #submitter: Element | null;
  readonly #removeListener: () => void;

  constructor({ form, signal }: RunningCall, submitter: Element | null) {
    this.#form = form.element;
    this.#submitter = submitter;
    mark(this.#form, formActive);
    mark(submitter, submitActive);
    this.#removeListener = onAbort(signal, () => this.end());
  }

  set submitter(submitter: Element | null) {
    if (submitter === this.#submitter) return;
    unmark(this.#submitter, submitActive);
    mark(submitter, submitActive);
    this.#submitter = submitter;
  }

  end(): void {
    unmark(this.#form, formActive);
    unmark(this.#submitter, submitActive);
    this.#removeListener();
  }
}

function mark(element: Element | null, name: string): void {
  if (element) classList(element).add(name);
}

function unmark(element: Element | null, name: string): void {
  if (!element) return;
  classList(element).remove(name);
  if (getAttribute(element, 'class') === '') removeAttribute(element, 'class');
}
