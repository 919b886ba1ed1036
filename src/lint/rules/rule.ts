import type { Parameter, ProfileName } from '../../compiler/index.js';
import type { Confidence, FormSuggestion, SensitiveForm } from '../../suggest/index.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';
import type { ToolReading } from '../../site/tools/compile-form.js';
import type { AnnotationText } from '../page/tool-texts.js';
import type { HiddenNodes } from '../page/hidden-nodes.js';
import { spellings, type Place } from '../page/place.js';
import type { Vocabulary } from '../../wording/words.js';

/** An error breaks a tool or endangers people; a warning should be fixed; info is a suggestion. */
export type Severity = 'error' | 'warning' | 'info';

/** The severity of a rule's findings, or `off`. */
export type RuleLevel = Severity | 'off';

/** A safe change of one attribute in a page's text. */
export interface Fix {
  readonly title: string;
  /** The attribute's name in lower case. The text at `start` must begin with it. */
  readonly attribute: string;
  /** The range of the attribute, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** The attribute's new value; null removes the attribute. */
  readonly after: string | null;
  readonly place: Place;
}

/** The suggestion of `form-without-tool` for a form. */
export interface SuggestedTool {
  readonly toolName: string;
  readonly toolDescription: string;
  readonly confidence: Confidence;
  /** The reason why a person should submit the form. */
  readonly sensitive?: SensitiveForm;
}

export interface Violation {
  /** The problem, followed by its solution. */
  readonly message: string;
  /** The element whose start tag is the default place. */
  readonly element: Parse5Element;
  /** The attributes that cause the problem. The finding is at the first of these attributes that the element has. */
  readonly attributes?: readonly string[];
  readonly place?: Place | undefined;
  /** The `name` of the control that causes the problem. */
  readonly parameter?: string | undefined;
  readonly fix?: Fix | undefined;
  readonly suggestion?: SuggestedTool | undefined;
  /** @default the level of the rule */
  readonly severity?: Severity;
}

export interface LintedTool extends ToolReading {
  readonly texts: readonly AnnotationText[];
}

export interface PageContext {
  readonly profile: ProfileName;
  /** The vocabulary of the page, computed on first use. */
  readonly vocabulary: () => Vocabulary;
  /** The hidden nodes of the page, found on first use. */
  readonly hiddenNodes: () => HiddenNodes;
  /** The title of the page, or its first heading. */
  readonly title: PageTitle | undefined;
  /** Suggests annotations for a form without annotations. */
  readonly suggest: (form: Parse5Element) => FormSuggestion<Parse5Element> | null;
  /** Returns true for the first call with a key. */
  readonly once: (key: string) => boolean;
}

interface PageTitle {
  readonly element: Parse5Element;
  readonly text: string;
}

export interface Rule {
  readonly level: RuleLevel;
  /** The problem that the rule finds, as a sentence. */
  readonly summary: string;
  readonly check?: (tool: LintedTool, page: PageContext) => Iterable<Violation>;
  readonly checkForm?: (form: Parse5Element, page: PageContext) => Iterable<Violation>;
}

export const defineRules = <Code extends string>(rules: Readonly<Record<Code, Rule>>): typeof rules => rules;

/** The place of the `toolparamdescription` of a parameter. */
export const atDescription = (
  tool: ToolReading,
  { units }: Pick<Parameter, 'units'>,
): Pick<Violation, 'element' | 'parameter' | 'attributes'> => ({
  ...atControl(tool, units[0].controls[0] ?? -1),
  attributes: spellings('toolparamdescription'),
});

export const atControl = (
  { form, controls, element }: ToolReading,
  index: number,
): Pick<Violation, 'element' | 'parameter'> => ({
  element: controls[index] ?? element,
  parameter: form.controls[index]?.name,
});
