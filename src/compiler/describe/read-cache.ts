import type { LabelText } from '../description.js';
import { Budget, maxReading, maxSize } from '../limits.js';

/** The sources that can describe several elements. */
export type SharedSource =
  | 'label'
  | 'nearby'
  | 'outside-label'
  | 'form-label'
  | 'legend'
  | 'aria-labelledby'
  | 'aria-describedby';

/** A fieldset, a group or a form, with the next such element around it. */
export interface GroupChain<Element> {
  readonly element: Element;
  readonly name: string;
  readonly isGroup: boolean;
  readonly outer: GroupChain<Element> | undefined;
  /** The nearest inclusive ancestor that is a form. */
  readonly form: GroupChain<Element> | undefined;
}

/** The state that controls inherit from their ancestors. */
export interface Ancestry<Element> {
  readonly disabled: boolean;
  readonly nearest: GroupChain<Element> | undefined;
}

/** The values that a datalist suggests. */
export interface Suggestions {
  readonly values: readonly string[];
  readonly cost: number;
}

/** Caches reads of a document, so that nothing is read again for each control or form. */
export class ReadCache<Element> {
  /** For labels and descriptions. */
  readonly budget: Budget;
  readonly size: Budget;
  /** For suggestions and patterns, so that many of them do not use up the budget for labels. */
  readonly extras: Budget;
  /** For the text between the controls of forms. */
  readonly layout: Budget;
  readonly texts: Readonly<Record<SharedSource, Map<Element, LabelText>>> = {
    label: new Map(),
    nearby: new Map(),
    'outside-label': new Map(),
    'form-label': new Map(),
    legend: new Map(),
    'aria-labelledby': new Map(),
    'aria-describedby': new Map(),
  };
  readonly suggestions = new Map<Element, Suggestions>();
  readonly firstLegends = new Map<unknown, Element | undefined>();
  readonly ancestries = new Map<unknown, Ancestry<Element>>();
  /** The patterns whose work has been counted. */
  readonly patterns = new Set<string>();

  constructor(
    budget = new Budget(maxReading),
    size = new Budget(maxSize),
    extras = new Budget(maxReading),
    layout = new Budget(maxReading),
  ) {
    this.budget = budget;
    this.size = size;
    this.extras = extras;
    this.layout = layout;
  }
}
