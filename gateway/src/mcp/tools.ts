import { ErrorCode, McpError, type ListToolsResult, type Tool } from '@modelcontextprotocol/sdk/types.js';
import type { ActionMetadata, WebtoolMetadata } from '../webtools/webtool.js';

const known = new WeakMap<WebtoolMetadata, readonly Tool[]>();

/** The actions of a webtool as tools of MCP. */
function toolsOf(metadata: WebtoolMetadata): readonly Tool[] {
  const tools = known.get(metadata) ?? metadata.actions.map(toolOf);
  known.set(metadata, tools);
  return tools;
}

function toolOf({ name, title, description, requestSchema, responseSchema, ...hints }: ActionMetadata): Tool {
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: requestSchema as Tool['inputSchema'],
    outputSchema: responseSchema as NonNullable<Tool['outputSchema']>,
    annotations: { ...(title !== undefined && { title }), ...annotationsOf(hints) },
  };
}

/** What a site says comes from anybody who writes there, so its world is open. */
const annotationsOf = ({ readOnly, consequential }: Pick<ActionMetadata, 'readOnly' | 'consequential'>) => ({
  readOnlyHint: readOnly,
  destructiveHint: consequential && !readOnly,
  idempotentHint: readOnly,
  openWorldHint: true,
});

/** Many: a client that does not ask for the next page knows no more than the first. */
const pageSize = 1000;

/** A page of the list of tools. A cursor is of one list: when that changes, a client starts again. */
export function listTools(metadata: WebtoolMetadata, cursor: string | undefined): ListToolsResult {
  const tools = toolsOf(metadata);
  const start = cursor === undefined ? 0 : positionOf(cursor, metadata);
  const end = start + pageSize;
  return {
    tools: tools.slice(start, end),
    ...(end < tools.length && { nextCursor: `${end} ${metadata.hash}` }),
  };
}

function positionOf(cursor: string, { hash: current }: WebtoolMetadata): number {
  const [position = '', hash] = cursor.split(' ');
  if (hash === current && /^\d{1,9}$/.test(position)) return Number(position);
  throw new McpError(ErrorCode.InvalidParams, 'The cursor is not one of this list of tools: list them from the start.');
}
