import { describeForm } from '../compiler/describe/describe-form.js';
import { synthesizeTool, type SynthesizeOptions } from '../compiler/profiles/synthesize.js';
import type { ToolDefinition } from '../compiler/tool.js';
import { annotatedTree, type Annotate } from './dom/annotated-tree.js';
import { customTree } from './dom/custom-controls.js';

export interface ToolOfOptions extends Partial<SynthesizeOptions> {
  /**
   * Which schema the tool gets.
   * @default 'chromium'
   */
  readonly profile?: SynthesizeOptions['profile'];
  /** Gives the annotations of elements that cannot carry them; their own win. */
  readonly annotate?: Annotate;
}

/**
 * Describes and synthesizes a live form, annotated or not, as it is now.
 *
 * @example
 * toolOf(document.querySelector('form'), { profile: 'precise' }).inputSchema;
 */
export function toolOf(
  form: HTMLFormElement,
  { profile = 'chromium', annotate, ...options }: ToolOfOptions = {},
): ToolDefinition {
  const { description } = describeForm<Node, Element>(annotatedTree(customTree, annotate), form);
  return synthesizeTool(description, { ...options, profile });
}
