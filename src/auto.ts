import { startAll } from './auto-start.js';
import { settingsOf, type RegisterFormsOptions } from './browser/register-forms.js';
import { connect } from './polyfill/cross-origin/tools.js';

/** The options in `data-profile` and `data-sensitive` of the script's tag. Modules have no tag. */
function optionsOfScript(): RegisterFormsOptions {
  const { profile, sensitive } = (document.currentScript as HTMLElement | null)?.dataset ?? {};
  return {
    ...(profile === 'precise' || profile === 'portable' ? { profile } : {}),
    ...(sensitive === 'include' || sensitive === 'exclude' ? { sensitive } : {}),
  };
}

if (typeof document !== 'undefined') startAll(settingsOf(optionsOfScript()), connect);
