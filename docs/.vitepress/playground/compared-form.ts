import {
  describeForm,
  profileNames,
  synthesizeTool,
  type ProfileName,
  type Scope,
  type ToolDefinition,
  type Tree,
} from '../../../src/compiler/index.js';
import type { ComparedForm, ProfileTools } from './reading.js';

/** Describes a form and synthesizes its tools, in the worker over parse5 and in the frame over the DOM. */
export function readComparedForm<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  scope: Scope<Element>,
): ComparedForm {
  const { description } = describeForm(tree, form, scope);
  const tools = profileNames.map((profile) => [profile, synthesizeTool(description, { profile })] as const);
  return {
    description: withoutLocations(description),
    tools: Object.fromEntries<ToolDefinition>(tools) as Record<ProfileName, ToolDefinition> satisfies ProfileTools,
  };
}

/** Only source text has locations. */
const withoutLocations = (description: object): unknown =>
  JSON.parse(JSON.stringify(description, (key, value: unknown) => (key === 'location' ? undefined : value)));
