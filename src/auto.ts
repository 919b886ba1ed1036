import { startAll } from './script/start.js';

/* The types of `document.modelContext` and of `agentInvoked`, for pages that import nothing else. */
export type {} from './webmcp.js';

/** Polyfills the page and registers its forms. The other modules are loaded at the first use of the tools. */
startAll(() => import('./script/agent.js'));
