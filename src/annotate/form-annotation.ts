import type { SourceLocation } from '../compiler/index.js';
import type { Confidence, SensitiveForm, TextOrigin } from '../suggest/index.js';
import type { Insertion } from './tags/insertion.js';

/** The values of the annotations of a form. */
export interface FormValues {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly autosubmit: boolean;
  readonly parameters: readonly ParameterValue[];
}

export interface ParameterValue extends SourceLocation {
  /** The `name` of the control. */
  readonly parameter: string;
  readonly description: string;
}

/** A form that can be annotated. */
export interface FormAnnotation extends SourceLocation, FormValues {
  /** The offset of the start tag, which identifies the form. */
  readonly start: number;
  readonly confidence: Confidence;
  readonly sensitive?: SensitiveForm;
  /** The strings of the page that the name, the title and the description are derived from. */
  readonly origins: readonly TextOrigin[];
  readonly insertions: readonly Insertion[];
  /** A string that is equal for equal tools. Different tools of a site need different names. */
  readonly content: string;
  /** The findings that lint would report, as sentences. */
  readonly problems: readonly string[];
}

/** A form without annotations that cannot be annotated. */
export interface UnsafeForm extends SourceLocation {
  /** The reason and the solution, as sentences. */
  readonly reason: string;
}

export interface PageAnnotations {
  readonly forms: readonly FormAnnotation[];
  readonly unsafe: readonly UnsafeForm[];
  /** The existing tools of the page. */
  readonly tools: readonly { readonly name: string; readonly content: string }[];
}

export const emptyPage: PageAnnotations = { forms: [], unsafe: [], tools: [] };
