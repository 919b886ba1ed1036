import { loadAgent, ownScript } from './load-agent.js';
import { startAll } from './start.js';

/** The page script, which loads the agent script at the first use of the tools. */
startAll(loadAgent, ownScript.dataset);
