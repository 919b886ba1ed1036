import { chromium } from '../compiler/profiles/chromium.js';
import { domTree } from './dom/dom-tree.js';
import type { Settings } from './settings.js';

/** What the smaller script needs: the tools that Chromium makes of forms, and nothing that its profile cannot reach. */
export const baseSettings: Settings = {
  synthesis: { profile: chromium, sensitive: chromium.sensitive },
  tree: domTree,
};
