import { startAll } from './auto-start.js';
import { settingsOf, type RegisterFormsOptions } from './browser/register-forms.js';
import { connect } from './polyfill/cross-origin/tools.js';

/** What `data-profile` and `data-sensitive` on the script's own tag say; a module has no tag. */
function optionsOfScript(): RegisterFormsOptions {
  const { profile, sensitive } = (document.currentScript as HTMLElement | null)?.dataset ?? {};
  return {
    ...(profile === 'precise' || profile === 'portable' ? { profile } : {}),
    ...(sensitive === 'include' || sensitive === 'exclude' ? { sensitive } : {}),
  };
}

if (typeof document !== 'undefined') startAll(settingsOf(optionsOfScript()), connect);
