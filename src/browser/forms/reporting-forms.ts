/* The modules that `registerForms` loads: they describe forms, report their diagnostics and run their tools. */
import type { FormsPart } from '../notice/notice-forms.js';
import { reportTo } from './report-diagnostics.js';
import { settingsOf } from './settings-of.js';
import * as forms from './start-forms.js';

export const startForms: FormsPart['startForms'] = (noticed) =>
  forms.startForms(noticed, settingsOf(noticed.options, reportTo));
