import { ErrorCode, McpError, type ListToolsResult, type Tool } from '@modelcontextprotocol/sdk/types.js';
import type { ActionMetadata, WebtoolMetadata } from '../webtools/webtool.js';

const cache = new WeakMap<WebtoolMetadata, readonly Tool[]>();

function toolsOf(metadata: WebtoolMetadata): readonly Tool[] {
  const tools = cache.get(metadata) ?? metadata.actions.map(toTool);
  cache.set(metadata, tools);
  return tools;
}

function toTool({
  name,
  title,
  description,
  requestSchema,
  responseSchema,
  readOnly,
  consequential,
}: ActionMetadata): Tool {
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: requestSchema as Tool['inputSchema'],
    outputSchema: responseSchema as NonNullable<Tool['outputSchema']>,
    annotations: {
      ...(title !== undefined && { title }),
      readOnlyHint: readOnly,
      destructiveHint: consequential && !readOnly,
      idempotentHint: readOnly,
      openWorldHint: true, // anyone may have written the content of a page
    },
  };
}

/** Large, because some clients only read the first page. */
const pageSize = 1000;

/** A page of the tool list. A cursor is invalid after the list changes. */
export function listTools(metadata: WebtoolMetadata, cursor: string | undefined): ListToolsResult {
  const tools = toolsOf(metadata);
  const start = cursor === undefined ? 0 : parseCursor(cursor, metadata);
  const end = start + pageSize;
  return {
    tools: tools.slice(start, end),
    ...(end < tools.length && { nextCursor: `${end} ${metadata.hash}` }),
  };
}

function parseCursor(cursor: string, metadata: WebtoolMetadata): number {
  const [position = '', hash] = cursor.split(' ');
  if (hash === metadata.hash && /^\d{1,9}$/.test(position)) return Number(position);
  throw new McpError(ErrorCode.InvalidParams, 'The cursor is invalid for the current list of tools. List them again.');
}
