import { agentPart } from '../agent-part.js';
import { partLoader } from './load-part.js';
import { shared } from './shared.js';

export const { draftOf, serveAgents, startForms } = agentPart(partLoader(1, shared));
