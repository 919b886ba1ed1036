import { agentPart } from '../agent-part.js';
import { partLoader } from './load-part.js';
import { shared } from './shared.js';

export const part = agentPart(partLoader(1, shared));
