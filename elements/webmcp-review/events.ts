import type { PendingForm } from './pending-forms.js';

/** The `detail` of the events of `<webmcp-review>`. */
export interface ReviewEventDetail {
  readonly toolName: string;
  readonly form: HTMLFormElement;
}

export type Step = 'approve' | 'edit' | 'undo';

/** Dispatches the event before a step. Returns false if the page has canceled it. */
export function dispatchStep(element: Element, step: Step, { toolName, form }: PendingForm): boolean {
  const detail: ReviewEventDetail = { toolName, form };
  const init = { bubbles: true, composed: true, cancelable: true, detail };
  return element.dispatchEvent(new CustomEvent(`webmcp-review-${step}`, init));
}

declare global {
  interface HTMLElementEventMap {
    'webmcp-review-approve': CustomEvent<ReviewEventDetail>;
    'webmcp-review-edit': CustomEvent<ReviewEventDetail>;
    'webmcp-review-undo': CustomEvent<ReviewEventDetail>;
  }
}
