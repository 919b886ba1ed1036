import type { ControlDescription, JsonValue } from '../../../../src/compiler/index.js';
import type { Engine } from '../parser-differences.js';
import type { Input } from './values.js';

/** A control, and its value in an input if it has one there. */
export interface Subject {
  readonly control: ControlDescription;
  readonly element: Element;
  readonly value: JsonValue | undefined;
  /** The description of the control in the schema. */
  readonly description: string;
}

/** A known difference between the schema and the form. */
export interface Exception {
  readonly reason: string;
  readonly schema: 'accepts' | 'rejects' | 'accepts or rejects';
  /** The engines that deviate from the standard. Missing if the schema deviates. */
  readonly engines?: readonly Engine[];
  /** Whether the measured agreement excludes the difference. */
  readonly isLeftOut?: true;
  readonly explains: (subject: Subject) => boolean;
  /** A form and an input with the difference. */
  readonly example: readonly [html: string, input: Input];
}

/** Whether a value is a matching string, or a list with a matching string. */
export const some = (value: JsonValue | undefined, test: RegExp): boolean =>
  [value].flat().some((each) => typeof each === 'string' && test.test(each));
