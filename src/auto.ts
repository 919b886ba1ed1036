import { startAll } from './start.js';

/* The types of `document.modelContext` and of `agentInvoked`, for pages that import nothing else. */
export type {} from './webmcp.js';

/** Polyfills the page and registers its forms. What serves agents is loaded at the first contact. */
startAll(() => import('./agent.js'));
