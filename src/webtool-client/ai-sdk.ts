import type { JsonValue } from '../json-schema.js';
import { dynamicTool, jsonSchema, type ToolSet } from 'ai';
import type { ConnectedWebtool } from './index.js';
import { descriptionOf } from './metadata.js';
import { modelTools, type ModelTool } from './model-tools.js';

export interface AiSdkToolsOptions {
  /**
   * What the names of all tools begin with, such as `shop_`, where tools of several webtools are used together.
   * @default ''
   */
  readonly prefix?: string;
  /**
   * Whether an action that a person was meant to confirm waits for an approval.
   * @default false
   */
  readonly needsApproval?: boolean;
}

/**
 * The actions of a webtool as tools of the AI SDK. A name that models do not take is changed: `a.b` becomes `a_b`. What
 * fails is thrown, so that the SDK tells it to the model, which can correct it.
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
  return Object.fromEntries(tools.map((tool) => [tool.name, sdkTool(webtool, tool, needsApproval)]));
}

const sdkTool = (
  webtool: ConnectedWebtool,
  { action, schema }: ModelTool,
  needsApproval: boolean,
): ReturnType<typeof dynamicTool> =>
  dynamicTool({
    description: descriptionOf(action),
    inputSchema: jsonSchema(schema),
    ...(needsApproval && action.consequential && { needsApproval }),
    execute: (input, { abortSignal }) => webtool.call<JsonValue>(action.name, input as object, { signal: abortSignal }),
  });
