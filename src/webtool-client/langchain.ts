import { ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool, type ToolRunnableConfig } from '@langchain/core/tools';
import { isRecord, stringify, type JsonRecord } from '../json.js';
import type { JsonValue } from '../json-schema.js';
import type { ConnectedWebtool } from './connect.js';
import { modelTools, type ModelTool } from './model-tools.js';
import { describeAction } from './trust.js';

export interface LangChainToolsOptions {
  /** The prefix of all tool names, such as `shop_`, to combine the tools of several webtools. @default '' */
  readonly prefix?: string;
}

/**
 * The actions of a webtool as tools of LangChain. Names that models do not accept are changed: `a.b` becomes `a_b`. A tool
 * returns text, with the data as its artifact. Its `metadata` contains the webtool's `origin`, and `readOnly` and
 * `consequential` as the webtool declares them.
 *
 * If a model's tool call fails, the tool returns a `ToolMessage` of status `error`, so that the model can correct the call. A
 * direct call throws. LangChain validates the input first, without patterns and references, because these could block it
 * forever.
 *
 * @example
 * const tools = langChainTools(await connectWebtool('https://tools.example/shop'));
 * const agent = createAgent({ model, tools });
 */
export function langChainTools(
  webtool: ConnectedWebtool,
  { prefix = '' }: LangChainToolsOptions = {},
): DynamicStructuredTool[] {
  return modelTools(webtool.actions, prefix).map((tool) => createTool(webtool, tool));
}

function createTool(webtool: ConnectedWebtool, { action, name, schema }: ModelTool): DynamicStructuredTool {
  const { readOnly, consequential } = action;
  return new DynamicStructuredTool({
    name,
    description: describeAction(action, webtool.origin),
    schema: withoutUnboundedKeywords(schema) as JsonRecord,
    metadata: { readOnly, consequential, origin: webtool.origin },
    responseFormat: 'content_and_artifact',
    verboseParsingErrors: true,
    func: async (input, _, config: ToolRunnableConfig = {}) => {
      const { signal, toolCall } = config;
      const call = webtool.call<JsonValue>(action.name, input as object, { signal });
      return call.then(contentAndArtifact, (error: unknown) => [errorMessage(error, name, toolCall?.id), undefined]);
    },
  });
}

/** Keywords whose validation may take exponential time, or never end. */
const unbounded: ReadonlySet<string> = new Set([
  'pattern',
  'patternProperties',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
]);

const withData: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'required']);

const withSchemas: ReadonlySet<string> = new Set([
  'properties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** A schema without the unbounded keywords. The webtool itself validates inputs against the whole schema. */
function withoutUnboundedKeywords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutUnboundedKeywords);
  if (!isRecord(schema)) return schema;
  const members = Object.entries(schema).filter(([keyword]) => !unbounded.has(keyword));
  return Object.fromEntries(
    members.map(([keyword, value]) => {
      if (withData.has(keyword)) return [keyword, value];
      if (!withSchemas.has(keyword) || !isRecord(value)) return [keyword, withoutUnboundedKeywords(value)];
      const schemas = Object.entries(value).map(([name, each]) => [name, withoutUnboundedKeywords(each)]);
      return [keyword, Object.fromEntries(schemas)];
    }),
  );
}

const contentAndArtifact = (data: JsonValue): readonly [string, JsonValue] => [
  typeof data === 'string' ? data : stringify(data),
  data,
];

/** Converts an error to a message for the model. A thrown error would end the agent's run. */
function errorMessage(error: unknown, name: string, id: string | undefined): ToolMessage {
  if (!(error instanceof Error) || error.name !== 'WebtoolError' || id === undefined) throw error;
  return new ToolMessage({ status: 'error', content: error.message, tool_call_id: id, name });
}
