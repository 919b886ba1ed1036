import type { ProfileName, ToolDefinition } from '../../../src/compiler/index.js';
import type { Confidence, SensitiveForm } from '../../../src/suggest/index.js';
import type { FormView } from '../../../elements/webmcp-inspector/view/form-view.js';
import type { Place } from '../../../src/lint/page/place.js';
import type { InertMarkup } from './inert-tags.js';
import type { Severity } from '../../../src/lint/rules/rule.js';

/** The tools of a form in the three profiles. */
export type ProfileTools = Readonly<Record<ProfileName, ToolDefinition>>;

/** Text that is added to the page, at an offset in UTF-16 code units. */
export interface Edit {
  readonly at: number;
  readonly text: string;
}

export interface Suggestion {
  readonly confidence: Confidence;
  readonly sensitive?: SensitiveForm;
  readonly edits: readonly Edit[];
}

/** A form of the page. With a suggestion, its tool is that of the page with the suggested annotations. */
export interface FormReading {
  readonly line: number;
  readonly column: number;
  readonly isTool: boolean;
  readonly tools: ProfileTools;
  readonly suggestion?: Suggestion;
}

export interface PageFinding {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly tool?: string;
  readonly parameter?: string;
  readonly place?: Place;
}

/** The parameters of a form and its other controls, with their lines. */
export type FormInspection = FormView<Place | undefined>;

/** The page as parse5 and the compiler read it. */
export interface PageReading {
  readonly forms: readonly FormReading[];
  readonly findings: readonly PageFinding[];
  /** The page with the suggested annotations and without what the frame must not load; null if it is not rendered. */
  readonly markup: InertMarkup | null;
  /** Whether scripts cannot read a part of the page, which declares a closed shadow root. */
  readonly hasClosedRoot: boolean;
  /** What was cut or left out, as sentences. */
  readonly notes: readonly string[];
}

/** A value that differs between parse5 and the DOM, as JSON text. */
export interface Difference {
  readonly path: string;
  readonly parse5: string;
  readonly dom: string;
}

/** The differences of each form; none for equal forms. */
export type Comparison = readonly (readonly Difference[])[];

/** A form as the frame reads it, and as the worker compares it. */
export interface ComparedForm {
  readonly description: unknown;
  readonly tools: ProfileTools;
}
