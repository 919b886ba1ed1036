import { startAll } from '../start.js';
import { ownScript, partLoader } from './load-part.js';
import { shared } from './shared.js';

/** The script of a page. Two others are loaded: what serves agents at the first contact, and what runs forms at the first call. */
startAll(partLoader(0, shared), ownScript.dataset);
