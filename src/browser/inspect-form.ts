import { describeForm } from '../compiler/describe/describe-form.js';
import type { FormDescription, Words } from '../compiler/description.js';
import { diagnose, type Diagnostic } from '../compiler/diagnostics.js';
import { synthesizeParameters, synthesizeTool, type SynthesizeOptions } from '../compiler/profiles/synthesize.js';
import type { ToolDefinition } from '../compiler/tool.js';
import { annotatedTree } from './dom/annotated-tree.js';
import { customTree } from './dom/custom-controls.js';
import type { ToolOfOptions } from './tool-of.js';

/** A parameter of a form's tool, and where on the page it comes from. */
export interface InspectedParameter {
  readonly name: string;
  readonly required: boolean;
  /** The texts that its description is made of, each with its source; none if a custom element describes itself. */
  readonly words: readonly Words[];
  /** The controls that take its value. */
  readonly controls: readonly Element[];
}

export interface FormInspection {
  readonly description: FormDescription;
  readonly tool: ToolDefinition;
  readonly parameters: readonly InspectedParameter[];
  /** What the form's author should know. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Says what a live form, annotated or not, is as a tool, as it is now, and why.
 *
 * @example
 * inspectForm(form, { profile: 'precise' }).diagnostics;
 */
export function inspectForm(
  form: HTMLFormElement,
  { profile = 'chromium', annotate, ...rest }: ToolOfOptions = {},
): FormInspection {
  const options: SynthesizeOptions = { ...rest, profile };
  const { description, controls } = describeForm<Node, Element>(annotatedTree(customTree, annotate), form);
  const parameters = synthesizeParameters(description, options);
  return {
    description,
    tool: synthesizeTool(description, options, parameters),
    parameters: parameters.map(({ name, required, words, units }) => ({
      ...{ name, required, words },
      controls: units.flatMap((unit) => unit.controls.flatMap((index) => controls[index] ?? [])),
    })),
    diagnostics: diagnose(description, options, parameters),
  };
}
