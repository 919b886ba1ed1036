import { startAll } from './auto-start.js';
import { domTree } from './browser/dom/dom-tree.js';
import { commonEditors } from './browser/editors/common.js';
import { chromium } from './compiler/profiles/chromium.js';

/** The smaller script. It contains only the `chromium` profile. */
if (typeof document !== 'undefined') {
  startAll({ synthesis: { profile: chromium, sensitive: chromium.sensitive }, tree: domTree, editors: commonEditors });
}
