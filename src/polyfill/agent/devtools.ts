import { apply } from '../../platform/primordials.js';
import type { ModelContext, RegisteredTool } from '../../webmcp.js';
import { isAllowed } from '../frames/policy.js';
import type { Realm } from '../frames/realm.js';
import type { Context } from '../state.js';
import { localTools } from './get-tools.js';

interface DevtoolsTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly execute: (input?: object) => Promise<string | null>;
}

/**
 * Answers the event that Chrome DevTools MCP dispatches to find the tools of a page. It reads the answer synchronously.
 * https://github.com/ChromeDevTools/chrome-devtools-mcp
 */
export function answerDiscovery(event: Event, context: Context): void {
  const respondWith: unknown = Reflect.get(event, 'respondWith');
  if (typeof respondWith !== 'function' || !isAllowed(context.state, context.document)) return;
  const tools = localTools(context).map((tool) => devtoolsTool(context, tool));
  if (tools.length === 0) return;
  apply(respondWith as () => unknown, event, [{ name: 'WebMCP', description: 'The WebMCP tools of the page.', tools }]);
}

const devtoolsTool = ({ target, realm }: Context, tool: RegisteredTool): DevtoolsTool => ({
  name: tool.name,
  description: tool.description,
  inputSchema: withoutFormats(realm, tool.inputSchema ?? {}),
  execute: (input = {}) => (target as ModelContext).executeTool(tool, input),
});

/** Chrome DevTools MCP validates with an Ajv that rejects schemas with a `format`. */
const withoutFormats = ({ parse, stringify }: Realm, schema: object): object =>
  parse(stringify(schema) as string, (key, value) =>
    key === 'format' && typeof value === 'string' ? undefined : value,
  ) as object;
