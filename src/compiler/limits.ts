import type { SourceLocation } from './tree.js';

/** Limits of the work that a page can cause, far above the needs of pages. docs/reference/limits.md has the reasons. */

/** The maximum length of a label or description that is not an attribute of the control or group, in characters. */
export const maxTextLength = 200_000;

/**
 * The maximum work to read the labels and descriptions of all forms of a page: mainly the number of characters, counted
 * for each control. The same maximum applies to suggestions and patterns together, and to the text between controls.
 */
export const maxReading = 10_000_000;

/** The maximum total size of all forms of a page: the sum of the sizes below. Time and memory are proportional to it. */
export const maxSize = 300_000;
export const formSize = 20;
export const controlSize = 15;
export const optionSize = 3;
/** Groups around several forms are counted for each form. */
export const groupSize = 5;

/**
 * The maximum size of each form of a live page. It is higher than `maxSize`, because the browser has already created
 * the controls.
 */
export const maxLiveSize = 4 * maxSize;

export const maxPatternLength = 20_000;

/** The maximum length of a `toolparamschema`, in characters. */
export const maxSchemaLength = 500_000;

/** The maximum number of groups around a control that are read, nearest first. */
export const maxGroups = 32;

/** A part of a form that is not read because it, or the work for all forms of the page, exceeds a limit. */
export interface LimitReached {
  readonly what: 'size' | 'text' | 'layout' | 'groups' | 'suggestions' | 'pattern' | 'schema';
  /** Whether all forms of the page together have reached the limit. */
  readonly isTotal: boolean;
  /** The `name` of the first control or group at which the limit was reached. */
  readonly parameter?: string;
  readonly location?: SourceLocation;
}

/** Whether a form has too many controls or options to be a tool. */
export const isTooLarge = ({ limits = [] }: { readonly limits?: readonly LimitReached[] }): boolean =>
  limits.some(({ what }) => what === 'size');

/**
 * The work that each control can use before the budgets of the page are charged. The strings of ordinary forms are
 * therefore read even if other forms exhaust the budgets.
 */
export const controlWork = 500;

/** The remaining work of a page. A part that needs all of it or more sets it to zero, and is not read. */
export class Budget {
  readonly total: number;
  /** The remaining work for the current form alone. It is spent first. */
  own = 0;
  #left: number;

  constructor(total: number) {
    this.total = total;
    this.#left = total;
  }

  get left(): number {
    return this.#left;
  }

  get isSpent(): boolean {
    return this.#left + this.own === 0;
  }

  refund(work: number): void {
    this.#left += work;
  }

  spend(work: number): boolean {
    this.own -= work;
    this.#left = Math.max(0, this.#left + Math.min(0, this.own));
    this.own = Math.max(0, this.own);
    return !this.isSpent;
  }
}
