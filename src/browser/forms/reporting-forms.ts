/* The part of the package that describes forms and reports their diagnostics: it is loaded at the first contact. */
import { Contact } from '../../platform/contact.js';
import { formsPart } from './forms-part.js';
import { reportTo } from './report-diagnostics.js';

export const { startForms } = formsPart(new Contact(() => import('../calls.js')), reportTo);
