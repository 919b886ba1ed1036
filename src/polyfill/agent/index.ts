import { activeContexts } from '../frames/context.js';
import type { Agent, AgentPart } from '../state.js';
import { createAgentState } from './agent-state.js';
import { endCalls, endOrphanedCalls, stopWatching } from './calls.js';
import { Connection } from './cross-origin/tools.js';
import { answerDiscovery } from './devtools.js';
import { executeTool } from './execute-tool.js';
import { getTools } from './get-tools.js';
import { whenAllowed } from './permission.js';
import { policyOf } from './policy.js';

export { draftOf } from './drafts/navigator.js';
export { waitFor } from './wait-for.js';

/** Serves agents, in the windows of a polyfill and across origins. */
export const serveAgents: AgentPart['serveAgents'] = (polyfill, isServed): Agent => {
  const agent = createAgentState(polyfill);
  const connection = new Connection(agent, isServed);
  agent.crossOrigin = connection;
  // Other pages may have listed the tools of this page without the tools that were registered before this script was loaded.
  for (const { tools } of activeContexts(polyfill))
    for (const { exposedTo } of tools.values()) connection.notify(exposedTo);
  const served: Agent = {
    getTools: getTools(agent),
    executeTool: executeTool(agent),
    policyOf: (window) => policyOf(polyfill.policies, window),
    whenAllowed: (context, operation) => whenAllowed(agent, context, operation),
    serve: (window) => agent.crossOrigin?.serve(window),
    receive: (event) => agent.crossOrigin?.receive(event),
    verify: (window) => agent.crossOrigin?.verify(window),
    notify: (exposedTo) => agent.crossOrigin?.notify(exposedTo),
    endOrphanedCalls: () => endOrphanedCalls(agent),
    endCalls: (realm) => endCalls(agent, realm),
    discover: answerDiscovery,
    end() {
      endCalls(agent, undefined);
      stopWatching(agent);
      agent.crossOrigin?.end();
      agent.crossOrigin = undefined;
      for (const { finish } of [...agent.policyRequests.values()]) finish();
    },
  };
  for (const { window } of polyfill.installations.keys()) connection.serve(window);
  if (polyfill.installations.size === 0) served.end();
  return served;
};
