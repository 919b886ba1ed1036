import * as dictionaries from './dictionaries.js';
import { queueTask } from '../../platform/tasks.js';
import type { RegisteredTool } from '../../webmcp.js';
import { activeContexts } from '../frames/context.js';
import { originsOf } from '../frames/origins.js';
import { isAllowed, whenAllowed } from '../frames/policy.js';
import { isClosed, type Realm } from '../frames/realm.js';
import { isObject } from '../idl/web-idl.js';
import { refresh, type Context, type Reject, type Resolve, type OperationSteps, type Tool } from '../state.js';
import type { Agent } from './agent.js';

/** https://webmachinelearning.github.io/webmcp/#dom-modelcontext-gettools */
export const getTools =
  (agent: Agent): OperationSteps =>
  (context, args, resolve, reject) => {
    const urls = dictionaries.fromOrigins({ realm: context.realm, operation: 'getTools' }, args[0]);
    const prepare = (): (() => void) => {
      const origins = originsOf(context, urls, 'fromOrigins');
      return () => void listTools(agent, context, origins, [resolve, reject]);
    };
    whenAllowed(context, { prepare, reject });
  };

async function listTools(
  { crossOrigin }: Agent,
  context: Context,
  origins: readonly string[],
  [resolve, reject]: readonly [Resolve, Reject],
): Promise<void> {
  try {
    const tools = localTools(context);
    const others = crossOrigin?.listTools(context, [context.realm.origin, ...origins]);
    if (others) tools.push(...(await others));
    // A frame may have been removed in the meantime.
    queueTask(() =>
      resolve(
        sorted(
          context,
          tools.filter(({ window }) => !isClosed(window)),
        ),
      ),
    );
  } catch (error) {
    reject(error);
  }
}

/** The tools of the documents of this origin. */
export function localTools(context: Context): RegisteredTool[] {
  const { state, realm } = context;
  return activeContexts(state)
    .filter((owner) => owner === context || (realm.origin !== 'null' && isAllowed(state, owner.document)))
    .flatMap((owner) => {
      refresh(owner);
      return [...owner.tools.values()].map((tool) => registeredTool(context, owner, tool));
    });
}

function registeredTool({ realm }: Context, owner: Context, tool: Tool): RegisteredTool {
  const { name, title, description, inputSchema, annotations } = tool;
  const schema = inputSchema === '' ? undefined : realm.parse(inputSchema);
  return inRealm(realm, {
    ...(annotations && { annotations: inRealm(realm, { ...annotations }) }),
    description,
    ...(isObject(schema) && { inputSchema: schema }),
    name,
    origin: owner.realm.origin,
    title,
    window: owner.realm.window,
  });
}

function sorted({ realm }: Context, tools: readonly RegisteredTool[]): RegisteredTool[] {
  const list = new realm.Array<RegisteredTool>();
  for (const tool of tools) list.push(tool);
  return list.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

/** Converts a new object to an object of a realm. */
export function inRealm<Value extends object>(realm: Realm, value: Value): Value {
  const { prototype } = realm.Object;
  return Object.getPrototypeOf(value) === prototype ? value : (Object.setPrototypeOf(value, prototype) as Value);
}
