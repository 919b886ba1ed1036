import { ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool, type ToolRunnableConfig } from '@langchain/core/tools';
import { isRecord, stringify, type JsonRecord } from '../json.js';
import type { JsonValue } from '../json-schema.js';
import type { ConnectedWebtool } from './index.js';
import { descriptionOf } from './metadata.js';
import { modelTools, type ModelTool } from './model-tools.js';

export interface LangChainToolsOptions {
  /**
   * What the names of all tools begin with, such as `shop_`, where tools of several webtools are used together.
   * @default ''
   */
  readonly prefix?: string;
}

/**
 * The actions of a webtool as tools of LangChain. A name that models do not take is changed: `a.b` becomes `a_b`. A tool
 * answers with text, and has the data as its artifact; `metadata` says what is `readOnly` and what `consequential`.
 *
 * What the webtool refuses in a model's tool call is answered with a `ToolMessage` of status `error`, so that the model can
 * correct it; without a tool call it is thrown. LangChain checks the input first, and its agents tell the model; it knows
 * nothing of patterns and references in schemas, with which a webtool could keep it busy for ever.
 *
 * @example
 * const tools = langChainTools(await connectWebtool('https://tools.example/shop'));
 * const agent = createAgent({ model, tools });
 */
export function langChainTools(
  webtool: ConnectedWebtool,
  { prefix = '' }: LangChainToolsOptions = {},
): DynamicStructuredTool[] {
  return modelTools(webtool.actions, prefix).map((tool) => structuredTool(webtool, tool));
}

function structuredTool(webtool: ConnectedWebtool, { action, name, schema }: ModelTool): DynamicStructuredTool {
  const { readOnly, consequential } = action;
  return new DynamicStructuredTool({
    name,
    description: descriptionOf(action),
    schema: harmless(schema) as JsonRecord,
    metadata: { readOnly, consequential },
    responseFormat: 'content_and_artifact',
    verboseParsingErrors: true,
    func: async (input, _, config: ToolRunnableConfig = {}) => {
      const { signal, toolCall } = config;
      const call = webtool.call<JsonValue>(action.name, input as object, { signal });
      return call.then(contentAndArtifact, (error: unknown) => [failed(error, name, toolCall?.id), undefined]);
    },
  });
}

/** Keywords that let a schema take any time, or no end, to validate with. */
const endless: ReadonlySet<string> = new Set(['pattern', 'patternProperties', '$ref', '$dynamicRef', '$recursiveRef']);

/** Keywords with data, which are no schemas. */
const data: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'required']);

/** Keywords with schemas by names, which are no keywords. */
const byName: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

/** A schema that LangChain can validate with, whoever wrote it. The webtool checks an input itself, patterns and all. */
function harmless(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(harmless);
  if (!isRecord(schema)) return schema;
  const members = Object.entries(schema).filter(([keyword]) => !endless.has(keyword));
  return Object.fromEntries(
    members.map(([keyword, value]) => {
      if (data.has(keyword)) return [keyword, value];
      return [keyword, byName.has(keyword) && isRecord(value) ? harmlessMembers(value) : harmless(value)];
    }),
  );
}

const harmlessMembers = (schemas: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, harmless(schema)]));

const contentAndArtifact = (data: JsonValue): readonly [string, JsonValue] => [
  typeof data === 'string' ? data : stringify(data),
  data,
];

/** Agents end a run when a tool throws. */
function failed(error: unknown, name: string, id: string | undefined): ToolMessage {
  const isTold = error instanceof Error && error.name === 'WebtoolError' && id !== undefined;
  if (!isTold) throw error;
  return new ToolMessage({ status: 'error', content: error.message, tool_call_id: id, name });
}
