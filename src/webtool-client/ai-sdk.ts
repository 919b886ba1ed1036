import type { JsonValue } from '../json-schema.js';
import { dynamicTool, jsonSchema, type ToolSet } from 'ai';
import type { ConnectedWebtool } from './connect.js';
import type { WebtoolAction } from './metadata.js';
import { modelTools, type ModelTool } from './model-tools.js';
import { describeAction } from './trust.js';

export interface AiSdkToolsOptions {
  /** The prefix of all tool names, such as `shop_`, to combine the tools of several webtools. @default '' */
  readonly prefix?: string;
  /**
   * Whether consequential actions require an approval, or a function that decides for each action. The webtool itself declares
   * which actions are consequential: pin the hash of reviewed actions, or pass a function.
   * @default false
   */
  readonly needsApproval?: boolean | ((action: WebtoolAction) => boolean);
}

/**
 * The actions of a webtool as tools of the AI SDK. Names that models do not accept are changed: `a.b` becomes `a_b`.
 * Failures are thrown, so that the SDK reports them to the model.
 *
 * @example
 * const tools = aiSdkTools(await connectWebtool('https://tools.example/shop'));
 * const { text } = await generateText({ model, tools, stopWhen: stepCountIs(5), prompt: 'Find green tea.' });
 */
export function aiSdkTools(
  webtool: ConnectedWebtool,
  { prefix = '', needsApproval = false }: AiSdkToolsOptions = {},
): ToolSet {
  const tools = modelTools(webtool.actions, prefix);
  return Object.fromEntries(tools.map((tool) => [tool.name, createTool(webtool, tool, needsApproval)]));
}

const createTool = (
  webtool: ConnectedWebtool,
  { action, schema }: ModelTool,
  needsApproval: boolean | ((action: WebtoolAction) => boolean),
): ReturnType<typeof dynamicTool> => {
  const isAsked = typeof needsApproval === 'function' ? needsApproval(action) : needsApproval && action.consequential;
  return dynamicTool({
    description: describeAction(action, webtool.origin),
    inputSchema: jsonSchema(schema),
    ...(isAsked && { needsApproval: true }),
    execute: (input, { abortSignal }) => webtool.call<JsonValue>(action.name, input as object, { signal: abortSignal }),
  });
};
