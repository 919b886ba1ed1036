import { describeForm } from '../compiler/describe/describe-form.js';
import { inspect, type Inspection } from '../compiler/inspection.js';
import { synthesizeTool, type SynthesizeOptions } from '../compiler/profiles/synthesize.js';
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

export type FormInspection = Inspection<Element>;

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
  const { description } = describeForm<Node, Element>(scriptedTree(annotate), form);
  return synthesizeTool(description, { ...options, profile });
}

/**
 * Describes a live form in its current state, annotated or not: its tool, where each parameter comes from, why other controls
 * are not parameters, and the diagnostics.
 *
 * @example
 * inspectForm(form, { profile: 'precise' }).diagnostics;
 */
export const inspectForm = (
  form: HTMLFormElement,
  { profile = 'chromium', annotate, ...rest }: ToolOfOptions = {},
): FormInspection => inspect<Node, Element>(scriptedTree(annotate), form, { ...rest, profile });
