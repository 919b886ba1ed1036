import { getter, method } from '../../platform/primordials.js';
import { onAbort } from '../../platform/signals.js';
import type { Run } from './calls.js';

const classesOf = getter<Element, DOMTokenList>('Element', 'classList');
const addClass = method<DOMTokenList, [string], void>('DOMTokenList', 'add');
const removeClass = method<DOMTokenList, [string], void>('DOMTokenList', 'remove');
const getAttribute = method<Element, [string], string | null>('Element', 'getAttribute');
const removeAttribute = method<Element, [string], void>('Element', 'removeAttribute');

/** The pseudo-classes that a script cannot make are classes of the same names. */
const formActive = ':tool-form-active';
const submitActive = ':tool-submit-active';

export interface Active {
  /** Says which button the form is going to be submitted with. */
  chooses(submitter: Element | null): void;
  end(): void;
}

/** Marks a form and its submit button while a call runs. */
export function markActive({ form, signal }: Run, submitter: Element | null): Active {
  const unmark = mark(form.element, formActive);
  let button = submitter;
  let unmarkButton = mark(submitter, submitActive);
  const end = (): void => {
    unmark();
    unmarkButton();
    forget();
  };
  const forget = onAbort(signal, end);
  return {
    chooses(other) {
      if (other === button) return;
      unmarkButton();
      button = other;
      unmarkButton = mark(other, submitActive);
    },
    end,
  };
}

function mark(element: Element | null, name: string): () => void {
  if (!element) return () => undefined;
  addClass(classesOf(element), name);
  return () => {
    removeClass(classesOf(element), name);
    if (getAttribute(element, 'class') === '') removeAttribute(element, 'class');
  };
}
