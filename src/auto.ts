import { startAll } from './start.js';

/** Polyfills the page and registers its forms. What serves agents is loaded at the first contact. */
startAll(() => import('./agent.js'));
