import { describeForm } from '../compiler/describe.js';
import { synthesizeTool, type SynthesizeOptions } from '../compiler/synthesize.js';
import type { ToolDefinition } from '../compiler/tool.js';
import { domTree } from './dom-tree.js';

export interface ToolOfOptions extends Partial<SynthesizeOptions> {
  /**
   * Which schema the tool gets.
   * @default 'chromium'
   */
  readonly profile?: SynthesizeOptions['profile'];
}

/**
 * Describes and synthesizes a live form, annotated or not, as it is now.
 *
 * @example
 * toolOf(document.querySelector('form'), { profile: 'precise' }).inputSchema;
 */
export function toolOf(
  form: HTMLFormElement,
  { profile = 'chromium', ...options }: ToolOfOptions = {},
): ToolDefinition {
  return synthesizeTool(describeForm<Node, Element>(domTree, form).description, { ...options, profile });
}
