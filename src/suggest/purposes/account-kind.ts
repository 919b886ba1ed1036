import type { Field } from '../page/fields.js';
import type { FoundText } from '../words/clean-text.js';
import { accountKindOf, type AccountKind } from '../words/account-words.js';
import { fact, isText, nameOf, type Facts } from './draft.js';

/** The purpose of a form of an account, and the string that names it. */
interface FoundKind {
  readonly kind: AccountKind;
  readonly from: FoundText;
  /** Whether the string belongs to the form, not to its page. */
  readonly isOwn: boolean;
}

/**
 * Finds the purpose in the strings of a form and then of its page, the most certain one first: a heading or a link beside a form
 * may name another form.
 */
export function findAccountKind(facts: Facts): FoundKind | undefined {
  return ownAccountKind(facts) ?? firstKind([facts.page.heading, facts.page.title], false);
}

/** Finds the purpose in the strings of a form alone. */
export const ownAccountKind = (facts: Facts): FoundKind | undefined => firstKind(ownTexts(facts), true);

/** The strings of a form, the most reliable one, that of the button, first. */
export function ownTexts({ button, fields, titles, idWords, actionWords }: Facts): readonly (FoundText | undefined)[] {
  const [first] = fields;
  return [
    button,
    fields.some(isRemember) ? fact('label', 'log in') : undefined,
    fact('id', idWords.join(' ')),
    ...titles,
    fact('action', actionWords.join(' ')),
    fields.length === 1 ? first?.label : fact('name', fields.map(({ name }) => name.match(/login/i)?.[0]).join(' ')),
  ];
}

function firstKind(texts: readonly (FoundText | undefined)[], isOwn: boolean): FoundKind | undefined {
  for (const from of texts) {
    const kind = from && accountKindOf(from.text);
    if (kind) return { kind, from, isOwn };
  }
  return undefined;
}

const remember =
  /remember|stay (?:signed|logged) in|keep me|auto-?login|usecookie|setcookie|(?:angemeldet|eingeloggt) bleiben|souvenir|rester connect|retenir|recordar|recuérdame|lembrar|ricordami|onthoud|kom ihåg|husk mig|zapamiętaj|запомнить|запам|автоматически входить|hatırla|自動ログイン|记住|記住|자동/i;

/** Whether a field is a checkbox that only logins have. */
const isRemember = ({ type, label, name }: Field): boolean =>
  type === 'checkbox' && (remember.test(label?.text ?? '') || /remember|auto-?login|persistent/i.test(name));

/** Whether a field identifies a user. */
export const isIdentity = (field: Field): boolean =>
  isText(field) && (/^(?:email|tel)$/.test(field.type) || identity.test(nameOf(field)));

const identity =
  /mail|user|usr|account|login|phone|nick|member|benutzer|utilisateur|identifiant|usuario|utente|utilizador|uživatel|użytkownik|correo|courriel|e-?post|sähköposti|логин|почт|пользовател|メール|邮箱|用户|아이디/;
