import type { Scope } from '../compiler/describe/scope.js';

/** `low`: the page has too little information about the form, so a person should write the annotations. */
export type Confidence = 'high' | 'medium' | 'low';

/** The origin of a suggested text. */
export type OriginKind =
  | 'heading'
  | 'legend'
  | 'aria-label'
  | 'submit-button'
  | 'label'
  | 'placeholder'
  | 'paragraph'
  | 'nearby-text'
  | 'page-title'
  | 'action'
  | 'method'
  | 'id'
  | 'name'
  | 'type'
  | 'autocomplete'
  | 'role';

export interface TextOrigin {
  readonly kind: OriginKind;
  /** The text of the page or the attribute's value, with white space collapsed and shortened. */
  readonly text: string;
}

export interface SuggestedText {
  readonly value: string;
  /** The most important origin first. */
  readonly origins: readonly TextOrigin[];
}

/** A `toolparamdescription` for a control that the page does not describe. */
export interface ParameterSuggestion<Element> {
  readonly control: Element;
  readonly parameter: string;
  readonly description: SuggestedText;
}

/** The kind of a sensitive form, which is annotated only on request. `password`: any other form with a password. */
export type SensitiveForm =
  | 'login'
  | 'sign-up'
  | 'payment'
  | 'password-change'
  | 'password-reset'
  | 'password'
  | 'deletion';

export interface FormSuggestion<Element> {
  readonly form: Element;
  readonly confidence: Confidence;
  readonly toolName: SuggestedText;
  readonly toolTitle?: SuggestedText;
  readonly toolDescription: SuggestedText;
  /** Whether the form only reads, so that an agent may submit it. */
  readonly autosubmit: boolean;
  readonly parameters: readonly ParameterSuggestion<Element>[];
  readonly sensitive?: SensitiveForm;
}

export interface SuggestOptions<Element> {
  /** The existing tool names of the page. The suggested name differs from them. */
  readonly takenNames?: ReadonlySet<string>;
  /**
   * The form's tree scope, which `readForms` returns. Callers with several forms of a page should pass it.
   * @default the scope of the form's root
   */
  readonly scope?: Scope<Element>;
}
