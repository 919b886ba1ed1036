import { describeForm, type DescribedForm } from '../compiler/describe/describe-form.js';
import type { FormDescription, LabelText } from '../compiler/description.js';
import { diagnose, type Diagnostic } from '../compiler/diagnostics.js';
import { synthesizeParameters, synthesizeTool, type SynthesizeOptions } from '../compiler/profiles/synthesize.js';
import type { ToolDefinition } from '../compiler/tool.js';
import { scriptedTree, type Annotate } from './dom/scripted-tree.js';

export interface ToolOfOptions extends Partial<SynthesizeOptions> {
  /**
   * The schema of the tool.
   * @default 'chromium'
   */
  readonly profile?: SynthesizeOptions['profile'];
  /** Returns annotations for elements that do not have them. Attributes take precedence. */
  readonly annotate?: Annotate;
}

/** A parameter of a form's tool with its origin in the page. */
export interface InspectedParameter {
  readonly name: string;
  readonly required: boolean;
  /** The parts of the description with their sources; empty if a custom element declares it. */
  readonly words: readonly LabelText[];
  /** The controls that receive the value. */
  readonly controls: readonly Element[];
}

export interface FormInspection {
  readonly description: FormDescription;
  readonly tool: ToolDefinition;
  readonly parameters: readonly InspectedParameter[];
  readonly diagnostics: readonly Diagnostic[];
}

const describe = (form: HTMLFormElement, annotate: Annotate | undefined): DescribedForm<Element> =>
  describeForm<Node, Element>(scriptedTree(annotate), form);

/**
 * Synthesizes the tool of a live form in its current state, annotated or not.
 *
 * @example
 * toolOf(document.querySelector('form'), { profile: 'precise' }).inputSchema;
 */
export function toolOf(
  form: HTMLFormElement,
  { profile = 'chromium', annotate, ...options }: ToolOfOptions = {},
): ToolDefinition {
  return synthesizeTool(describe(form, annotate).description, { ...options, profile });
}

/**
 * Describes a live form in its current state, annotated or not: its tool, where each parameter comes from, and the
 * diagnostics.
 *
 * @example
 * inspectForm(form, { profile: 'precise' }).diagnostics;
 */
export function inspectForm(
  form: HTMLFormElement,
  { profile = 'chromium', annotate, ...rest }: ToolOfOptions = {},
): FormInspection {
  const options: SynthesizeOptions = { ...rest, profile };
  const { description, controls } = describe(form, annotate);
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
    diagnostics: diagnose(description, options, parameters),
  };
}
