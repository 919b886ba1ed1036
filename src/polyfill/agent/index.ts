export { Agent, waitFor } from './agent.js';
export { draftOf } from './drafts/navigator.js';
