import { getter } from '../platform/primordials.js';
import * as agent from './agent.js';
import { startAll } from './start.js';

/** Both scripts in one, for pages that inline it or may not load other scripts. */
startAll(() => agent, getter<Document, HTMLElement | null>('Document', 'currentScript')(document)?.dataset);
