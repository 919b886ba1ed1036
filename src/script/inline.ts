import { agentPart } from '../agent-part.js';
import * as calls from '../browser/calls.js';
import { getter } from '../platform/primordials.js';
import { startAll } from '../start.js';

/** The script of a page in one piece, for pages that inline it or may not load other scripts. */
const agent = agentPart(() => calls);
startAll(() => agent, getter<Document, HTMLElement | null>('Document', 'currentScript')(document)?.dataset);
