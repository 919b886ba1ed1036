/* The part of the script that serves agents: it is loaded at the first contact. */
import { agentPart } from './agent-part.js';

export const { draftOf, serveAgents, startForms, waitFor } = agentPart(() => import('./browser/calls.js'));
