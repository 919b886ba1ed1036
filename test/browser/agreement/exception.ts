import type { ControlDescription, JsonValue } from '../../../src/compiler/index.js';
import type { Engine } from '../parser-differences.js';
import type { Input } from './values.js';

/** A control with the value that an input has for it, if any. */
export interface Subject {
  readonly control: ControlDescription;
  readonly element: Element;
  readonly value: JsonValue | undefined;
  /** The description of its parameter. */
  readonly says: string;
}

/** Where the schema and the form disagree, and why that stays. */
export interface Exception {
  readonly reason: string;
  readonly schema: 'accepts' | 'refuses' | 'accepts or refuses';
  /** Those that deviate from the standard; all, if it is the schema that does. */
  readonly engines?: readonly Engine[];
  readonly explains: (subject: Subject) => boolean;
  /** A form and an input that show it. */
  readonly example: readonly [html: string, input: Input];
}

/** Whether a value is or holds a text that matches. */
export const some = (value: JsonValue | undefined, test: RegExp): boolean =>
  [value].flat().some((each) => typeof each === 'string' && test.test(each));
