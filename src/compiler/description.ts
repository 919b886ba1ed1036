import type { NearbyOrigin } from './describe/layout/nearby-text.js';
import type { ControlAttribute, ControlType } from './html/elements.js';
import type { LimitReached } from './limits.js';
import type { SourceLocation } from './tree.js';

/** An object that is being created. Spreading optional members takes several times as long as setting them. */
export type Mutable<Members> = { -readonly [Name in keyof Members]: Members[Name] };

export type TextSource =
  | 'toolparamdescription'
  | 'label'
  /** A label outside the form of its control. Only the profile chromium uses it. */
  | 'outside-label'
  /**
   * A label that refers to an ID in its own form, although elements outside of the form also have this ID. The profile
   * chromium ignores it.
   */
  | 'form-label'
  | 'aria-label'
  | 'aria-labelledby'
  | 'title'
  | 'placeholder'
  | 'legend'
  | 'text'
  /** A string that a person reads as the label, because of its place on the page. The profile chromium ignores it. */
  | 'nearby'
  /** The question that radio buttons or checkboxes answer, found by its place on the page. The profile chromium ignores it. */
  | 'question'
  /**
   * The legend or heading above a control whose label another control has too, the question above a checkbox, or the
   * label of a control whose placeholder is a format such as `DD`. The profile chromium ignores it.
   */
  | 'section'
  | 'aria-description'
  | 'aria-describedby';

/** A string of the page that can describe a control, a group or an option. */
export interface LabelText {
  readonly source: TextSource;
  readonly text: string;
  /** The visible text with white space collapsed. Omitted if it equals `text` with white space collapsed. */
  readonly visible?: string;
  /** The place of the string on the page. Set only for the sources `nearby` and `question`. */
  readonly origin?: NearbyOrigin;
  readonly location?: SourceLocation;
}

/** A fieldset, or an element with the role group or radiogroup, that contains controls of the form. */
export interface GroupDescription {
  readonly element: string;
  /** Set if the form is not an ancestor of the group. */
  readonly outside?: true;
  readonly words: readonly LabelText[];
  readonly location?: SourceLocation;
}

export interface OptionDescription {
  readonly value: string;
  readonly text: string;
  readonly label?: string;
  /** The label of its optgroup. */
  readonly group?: string;
  readonly disabled?: true;
  readonly selected?: true;
  /** Set for the first option if it is a child of the select: only this option can be the placeholder label option. */
  readonly first?: true;
  readonly description?: string;
}

/** A listed element of the form with its content attributes, labels and descriptions. */
export interface ControlDescription {
  readonly element: string;
  readonly type: ControlType;
  /** The `name` attribute as written, or the empty string. */
  readonly name: string;
  /** Set by the attribute or by an ancestor fieldset. */
  readonly disabled?: true;
  /** Set if the attribute applies to the control's type. */
  readonly readonly?: true;
  /** Set for passwords, payment data, one-time codes, PINs and national identification numbers. */
  readonly sensitive?: true;
  /** Set for honeypots, which only bots fill in. */
  readonly trap?: true;
  /** Set for controls that ask for the answer to a captcha. */
  readonly captcha?: true;
  /** Set for the submit button that calls press instead of the first one. The profile chromium ignores it. */
  readonly preferred?: true;
  /**
   * The reason why a button is preferred, or why a control is sensitive, a honeypot or a captcha although no HTML
   * attribute marks it. A clause for use in a message.
   */
  readonly evidence?: string;
  /** Set if the initial value was removed from the description because it is personal data. */
  readonly prefilled?: true;
  /**
   * A hash of the value of a hidden or read-only control, for comparison with the page. Absent if the site renews the
   * value.
   */
  readonly fingerprint?: string;
  readonly attributes: Readonly<Partial<Record<ControlAttribute, string>>>;
  readonly words: readonly LabelText[];
  /** Indices into the form's `groups`, innermost first. */
  readonly groups: readonly number[];
  readonly options?: readonly OptionDescription[];
  readonly suggestions?: readonly string[];
  readonly defaultText?: string;
  readonly location?: SourceLocation;
}

/** A form's markup as data, serializable and the same for all profiles. */
export interface FormDescription {
  readonly tool: {
    readonly name: string | null;
    readonly description: string | null;
    readonly title: string | null;
    readonly autosubmit: boolean;
  };
  readonly method: 'get' | 'post' | 'dialog';
  /** As written; null for the page's own URL. */
  readonly action: string | null;
  readonly enctype: 'application/x-www-form-urlencoded' | 'multipart/form-data' | 'text/plain';
  /** As written. */
  readonly acceptCharset?: string;
  /** The label of the page's encoding. Set only in manifests, for encodings other than UTF-8. */
  readonly encoding?: string;
  readonly target?: string;
  readonly noValidate?: true;
  /**
   * The captcha that a script loads in the form: `visible` waits for a person, `invisible` checks the visitor without a
   * question.
   */
  readonly captcha?: 'visible' | 'invisible';
  /** The value of `data-webmcp-submitter`, if it does not identify exactly one submit button. */
  readonly unknownSubmitter?: string;
  /** The document's `<base href>`, as written. */
  readonly base?: string;
  readonly groups: readonly GroupDescription[];
  /** Every listed element whose form owner is the form, in tree order. */
  readonly controls: readonly ControlDescription[];
  /** The parts of the form that were not read. Absent in nearly all forms. */
  readonly limits?: readonly LimitReached[];
  readonly location?: SourceLocation;
}
