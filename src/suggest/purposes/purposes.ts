import { forgotten, logout, oneTimeCode, passwordForms } from './accounts.js';
import { deletion, payment } from './consequences.js';
import type { Purpose } from './draft.js';
import { cookies, filter, languageSwitch, search } from './finding.js';
import { cart, comment, contact, line, newsletter, unsubscribe, upload } from './messages.js';

/** Those with the greatest consequences first. */
export const purposes: readonly Purpose[] = [
  deletion,
  oneTimeCode,
  payment,
  passwordForms,
  forgotten,
  logout,
  languageSwitch,
  cookies,
  unsubscribe,
  search,
  filter,
  cart,
  newsletter,
  comment,
  contact,
  line,
  upload,
];
