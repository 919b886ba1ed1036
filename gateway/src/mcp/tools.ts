import { ProtocolError, ProtocolErrorCode, type ListToolsResult, type Tool } from '@modelcontextprotocol/server';
import { oncePerObject } from 'webmcp-forms/headless';
import type { Settings } from '../settings.js';
import { clientSecretsOf, isDestructive, type Action, type ExcludedTool } from '../webtools/actions.js';
import type { ActionMetadata, Webtool } from '../webtools/webtool.js';

const servable = new WeakMap<Webtool['actions'], Pick<Webtool, 'actions' | 'excluded'>>();

/** The webtool without the actions that require a secret of the client, because MCP calls cannot contain it. */
export function withoutClientSecrets(webtool: Webtool, settings: Pick<Settings, 'config'>): Webtool {
  const { actions } = webtool;
  const kept = servable.get(actions) ?? servableOf(webtool, settings);
  servable.set(actions, kept);
  return { ...webtool, ...kept };
}

function servableOf(webtool: Webtool, settings: Pick<Settings, 'config'>): Pick<Webtool, 'actions' | 'excluded'> {
  const excluded = excludedFromMcp(webtool, settings);
  const names = new Set(excluded.map(({ tool }) => tool));
  const kept = [...webtool.actions].filter(([name]) => !names.has(name));
  return { actions: new Map(kept), excluded: [...webtool.excluded, ...excluded] };
}

export const excludedFromMcp = ({ actions }: Webtool, settings: Pick<Settings, 'config'>): readonly ExcludedTool[] =>
  [...actions.values()].flatMap((action) => {
    const missing = clientSecretsOf(action, settings);
    const reason = `the configuration has no value for ${missing.join(', ')}, and MCP clients cannot send one`;
    return missing.length > 0 ? { tool: action.name, page: action.page, reason } : [];
  });

const cache = new WeakMap<Webtool['actions'], readonly Tool[]>();

function toolsOf({ metadata, actions }: Webtool): readonly Tool[] {
  const tools =
    cache.get(actions) ??
    metadata.actions.flatMap((about) => {
      const action = actions.get(about.name);
      return action ? [toTool(about, action)] : [];
    });
  cache.set(actions, tools);
  return tools;
}

function toTool(about: ActionMetadata, { form, reads }: Action): Tool {
  const { name, title, description, requestSchema, responseSchema, page, pageTitle, lang, dir, ...hints } = about;
  const { readOnly } = hints;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: requestSchema as Tool['inputSchema'],
    outputSchema: outputSchemaOf(responseSchema),
    annotations: {
      ...(title !== undefined && { title }),
      readOnlyHint: readOnly,
      destructiveHint: reads === undefined && !readOnly && (hints.consequential || isDestructive(form)),
      idempotentHint: readOnly,
      openWorldHint: true, // anyone may have written the content of a page
    },
    _meta: {
      page,
      ...(pageTitle !== undefined && { pageTitle }),
      ...(lang !== undefined && { 'webmcp-forms/lang': lang }),
      ...(dir !== undefined && { 'webmcp-forms/dir': dir }),
    },
  };
}

/**
 * The schema of a result, including the error of a call without a response. It has no descriptions, because each tool
 * repeats it: the instructions of the server describe the members. Results also have members that the schema omits,
 * such as JSON of any type.
 */
const outputSchemaOf = oncePerObject((responseSchema: object): NonNullable<Tool['outputSchema']> => {
  const { properties = {}, required = [] } = responseSchema as ObjectSchema;
  const all: NonNullable<ObjectSchema['properties']> = { ...properties, error: errorSchema };
  const kept = Object.entries(all).filter(([name]) => !untyped.includes(name));
  const withoutDescriptions = Object.fromEntries(kept.map(([name, { description: _, ...schema }]) => [name, schema]));
  return { type: 'object', properties: withoutDescriptions, required: [...required] };
});

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
}

/** Members of any type. Some clients refuse schemas with such members. */
const untyped: readonly string[] = ['json', 'jsonLd'];

const errorSchema = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  required: ['code', 'message'],
};

export const hashMember = 'webmcp-forms/hash';

/** Large, because some clients only read the first page. */
const pageSize = 1000;

/** A page of the tool list. A cursor is invalid after the list changes. */
export function listTools(webtool: Webtool, cursor: string | undefined): ListToolsResult {
  const { metadata } = webtool;
  const tools = toolsOf(webtool);
  const start = cursor === undefined ? 0 : parseCursor(cursor, metadata);
  const end = start + pageSize;
  return {
    _meta: { [hashMember]: metadata.hash },
    tools: tools.slice(start, end),
    ...(end < tools.length && { nextCursor: `${end} ${metadata.hash}` }),
  };
}

function parseCursor(cursor: string, metadata: Webtool['metadata']): number {
  const [position = '', hash] = cursor.split(' ');
  if (hash === metadata.hash && /^\d{1,9}$/.test(position)) return Number(position);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'The cursor is invalid for the current list of tools. List them again.',
  );
}
