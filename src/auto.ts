import { startAll } from './auto-start.js';
import { pageSettingsOf, type RegisterFormsOptions } from './browser/register-forms.js';
import { connect } from './polyfill/cross-origin/tools.js';

/** Reads `data-profile` and `data-sensitive` of the script's tag. Modules have no `document.currentScript`. */
function optionsOfScript(): RegisterFormsOptions {
  const { profile, sensitive } = (document.currentScript as HTMLElement | null)?.dataset ?? {};
  return {
    ...(profile === 'precise' || profile === 'portable' ? { profile } : {}),
    ...(sensitive === 'include' || sensitive === 'exclude' ? { sensitive } : {}),
  };
}

if (typeof document !== 'undefined') startAll(pageSettingsOf(optionsOfScript()), connect);
