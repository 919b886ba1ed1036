import { formsPart } from './browser/forms/forms-part.js';
import type { CallsPart } from './browser/settings.js';
import { Contact } from './platform/contact.js';
import { draftOf, serveAgents, waitFor } from './polyfill/agent/index.js';
import type { Agent } from './start.js';

/** The part of the script that serves agents. What runs the tools of forms is loaded at the first call. */
export const agentPart = (loadCalls: () => CallsPart | Promise<CallsPart>): Agent => ({
  draftOf,
  serveAgents,
  waitFor,
  ...formsPart(new Contact(loadCalls)),
});
