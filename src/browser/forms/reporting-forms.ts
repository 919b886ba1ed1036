/* The modules that `registerForms` loads: they describe forms, report their diagnostics and run their tools. */
import type { FormsPart } from '../discovery/discover-forms.js';
import { reportTo } from './report-diagnostics.js';
import { settingsOf } from './settings-of.js';
import * as forms from './start-forms.js';

export const startForms: FormsPart['startForms'] = (discovered) =>
  forms.startForms(discovered, settingsOf(discovered.options, reportTo));
