import { describeForm, type DescribedForm } from './describe/describe-form.js';
import { scopeOf, type Scope } from './describe/scope.js';
import type { FormDescription, LabelText, ControlDescription } from './description.js';
import { diagnose, type Diagnostic, type DiagnosticCode } from './diagnostics.js';
import { excluded } from './findings.js';
import { buttonTypes, inputTypes, nameSet, valuelessTypes } from './html/elements.js';
import { enumeratedKeyword } from './html/text.js';
import { isIgnored } from './ignored.js';
import { isTooLarge } from './limits.js';
import { indexControls, isMutable, parametersByControl, type IndexedControl } from './parameters/parameters.js';
import { exclusions } from './profiles/precise/precise.js';
import {
  synthesizeParameters,
  synthesizeTool,
  resolveSynthesis,
  type SynthesizeOptions,
  type Sensitive,
} from './profiles/synthesize.js';
import type { ToolDefinition, Synthesis, SynthesizedParameter } from './tool.js';
import { ancestors, descendants, type Tree } from './tree.js';

/** A parameter of a form's tool with its origin in the page. */
export interface InspectedParameter<Element> {
  readonly name: string;
  readonly required: boolean;
  /** The parts of the description with their sources; empty if the description is in the schema of a custom element. */
  readonly words: readonly LabelText[];
  /** The controls that receive the value. */
  readonly controls: readonly Element[];
}

export interface Inspection<Element> {
  readonly description: FormDescription;
  readonly tool: ToolDefinition;
  readonly parameters: readonly InspectedParameter<Element>[];
  /** The controls in the form that are not parameters, with the reasons. */
  readonly excluded: readonly ExcludedControl<Element>[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Describes a form, annotated or not: its tool, where each parameter comes from, why other controls are not parameters, and
 * the diagnostics.
 */
export function inspect<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  options: SynthesizeOptions,
  scope: Scope<Element> = scopeOf(tree, form),
): Inspection<Element> {
  const described = describeForm(tree, form, scope);
  const { description, controls } = described;
  const parameters = synthesizeParameters(description, options);
  return {
    description,
    tool: synthesizeTool(description, options, parameters),
    parameters: parameters.map(({ name, required, words, units }) => ({
      name,
      required,
      words,
      controls: units.flatMap((unit) => unit.controls.flatMap((index) => controls[index] ?? [])),
    })),
    excluded: excludedControls(tree, form, described, { options, parameters }),
    diagnostics: diagnose(description, options, parameters),
  };
}

type ExclusionCode =
  | DiagnosticCode
  | 'disabled'
  | 'read-only'
  | 'hidden'
  | 'template-row'
  | 'unsupported-type'
  | 'ignored'
  | 'other-form';

/** The reason why a control is not a parameter. */
interface Exclusion {
  readonly code: ExclusionCode;
  /** Sentences whose subject is the control. */
  readonly message: string;
}

/** A control in a form that is not a parameter of its tool. */
export interface ExcludedControl<Element> extends Exclusion {
  /**
   * The index in the description's `controls`. For a control that does not belong to the form, the number of those
   * controls.
   */
  readonly index: number;
  /** Empty for a control without a name. */
  readonly name: string;
  readonly type: string;
  /** The first label or description of the control, or the empty string. */
  readonly label: string;
  readonly control: Element;
}

interface Reason extends Exclusion {
  readonly excludes: (control: ControlDescription, sensitive: Sensitive) => boolean | undefined;
}

const reasons: readonly Reason[] = [
  {
    excludes: exclusions.name,
    code: 'template-row',
    message: 'Its name is that of a template row, which scripts copy.',
  },
  {
    excludes: exclusions.sensitive,
    code: 'excluded-secret',
    message: 'It is for a password, payment data or a one-time code, which a person should enter.',
  },
  {
    excludes: exclusions.hidden,
    code: 'hidden',
    message: 'It is hidden, so calls send the value that the page has set. A toolparamdescription changes this.',
  },
  {
    excludes: exclusions.custom,
    code: 'invalid-parameter-schema',
    message: 'Its toolparamschema is not a JSON Schema. Correct it.',
  },
];

/** Finds the controls in a form that are not parameters, with the reasons. Controls that belong to the form come first. */
export function excludedControls<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  { description, controls }: DescribedForm<Element>,
  { options, parameters }: { options: SynthesizeOptions; parameters: readonly SynthesizedParameter[] },
): readonly ExcludedControl<Element>[] {
  const synthesis = resolveSynthesis(options);
  const byControl = parametersByControl(parameters);
  const collisions = synthesis.profile.collisions(description);
  const found = indexControls(description).flatMap(({ control, index }) => {
    const element = controls[index];
    if (!element || byControl.has(index) || valuelessTypes.has(control.type)) return [];
    const { code, message } = reasonOf({ control, index }, synthesis, collisions);
    return { code, message, index, name: control.name, type: control.type, label: labelOf(control), control: element };
  });
  return isTooLarge(description) ? [] : [...found, ...foreignControls(tree, form, new Set(controls))];
}

const labelOf = ({ words: [first] }: ControlDescription): string =>
  (first?.visible ?? first?.text ?? '').replace(/\s+/g, ' ').trim();

function reasonOf(
  { control, index }: IndexedControl,
  { sensitive, profile }: Synthesis,
  collisions: ReadonlySet<number>,
): Exclusion {
  if (!isMutable(control))
    return control.disabled
      ? { code: 'disabled', message: 'It is disabled, so the browser does not submit it.' }
      : { code: 'read-only', message: 'It is read-only, so a person cannot change it.' };
  if (control.name === '')
    return {
      code: 'missing-parameter-name',
      message: 'It has no name, so the browser does not submit it. Add a name.',
    };
  if (collisions.has(index))
    return {
      code: 'duplicate-parameter-name',
      message: 'Several controls have this name, so Chromium has no parameter for them.',
    };
  const meaning = profile.excludesByMeaning && excluded(control);
  return (
    meaning ||
    reasons.find(({ excludes }) => excludes(control, sensitive)) || {
      code: 'unsupported-type',
      message: `This profile has no parameters for controls of the type ${control.type}.`,
    }
  );
}

const fields = nameSet('input select textarea');

/** The controls inside the form element that belong to another form or to none, or are in ignored content. */
function* foreignControls<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  own: ReadonlySet<Element>,
): Generator<ExcludedControl<Element>> {
  for (const control of descendants(tree, form)) {
    if (!tree.isElement(control) || !fields.has(tree.localName(control)) || own.has(control)) continue;
    const type = typeOf(tree, control);
    if (type === 'hidden' || (buttonTypes as ReadonlySet<string>).has(type)) continue;
    yield {
      ...foreignReason(tree, form, control),
      index: own.size,
      name: tree.attribute(control, 'name') ?? '',
      type,
      label: '',
      control,
    };
  }
}

const typeOf = <Node, Element extends Node>(tree: Tree<Node, Element>, control: Element): string => {
  const name = tree.localName(control);
  return name === 'input' ? (enumeratedKeyword(tree.attribute(control, 'type'), inputTypes) ?? 'text') : name;
};

function foreignReason<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  control: Element,
): Exclusion {
  for (const node of [control, ...ancestors(tree, control)])
    if (tree.isElement(node) && isIgnored(tree, node))
      return { code: 'ignored', message: 'It is in content with data-webmcp-ignore.' };
  return tree.formOwner(control) === null
    ? { code: 'other-form', message: 'Its attribute form is not the ID of a form, so it belongs to no form.' }
    : { code: 'other-form', message: 'It belongs to another form. Change its attribute form.' };
}
