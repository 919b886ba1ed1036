import { startAll } from './auto-start.js';
import { domTree } from './browser/dom/dom-tree.js';
import { chromium } from './compiler/profiles/chromium.js';

/** The smaller script: the tools that Chromium makes of forms, without what its profile cannot use. */
if (typeof document !== 'undefined') {
  startAll({ synthesis: { profile: chromium, sensitive: chromium.sensitive }, tree: domTree });
}
