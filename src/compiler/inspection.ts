import { describeForm } from './describe/describe-form.js';
import { scopeOf, type Scope } from './describe/scope.js';
import type { FormDescription, LabelText } from './description.js';
import { diagnose, type Diagnostic } from './diagnostics.js';
import { excludedControls, type ExcludedControl } from './exclusion.js';
import { synthesizeParameters, synthesizeTool, type SynthesizeOptions } from './profiles/synthesize.js';
import type { ToolDefinition } from './tool.js';
import type { Tree } from './tree.js';

/** A parameter of a form's tool with its origin in the page. */
export interface InspectedParameter<Element> {
  readonly name: string;
  readonly required: boolean;
  /** The parts of the description with their sources; empty if a custom element declares it. */
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
