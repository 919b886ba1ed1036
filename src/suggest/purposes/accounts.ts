import type { Field } from '../page/fields.js';
import { phraseWords, readPhrase, sentenceOf, type Phrase } from '../words/phrase.js';
import { withFields } from '../words/field-list.js';
import { findAccountKind } from './account-kind.js';
import {
  fact,
  isEmail,
  isText,
  labelsOf,
  nameOf,
  others,
  passwords,
  titleText,
  type Draft,
  type Facts,
  type Purpose,
} from './draft.js';

export const oneTimeCode: Purpose = (facts) => {
  const field = facts.fields.find(({ control }) => /one-time-code/.test(control.attributes.autocomplete ?? ''));
  const isByWords =
    /two.?factor|2fa|2-step|two-step|verification code|one.?time|authenticat(?:ion|or) code|security code|verify your/.test(
      facts.words,
    ) &&
    others(facts).length + passwords(facts).length > 0 &&
    facts.fields.every((each) => isText(each) || each.type === 'checkbox' || each.type === 'password');
  const cells = facts.fields.filter(
    ({ control, type }) => /^(?:text|tel|number)$/.test(type) && control.attributes.maxlength === '1',
  ).length;
  if (!field && !isByWords && cells < 4) return undefined;
  const digits = cells > 3 && cells < 11 ? `${cells}-digit ` : '';
  const isOfApp = facts.isEnglish && /\bauthenticat(?:or|ion) app/.test(facts.prose());
  return {
    words: ['enter', 'verification', 'code'],
    sentence: `Submits the ${digits}verification code ${isOfApp ? "from the user's authenticator app" : 'that the user enters'}`,
    title: 'Enter the verification code',
    confidence: field ? 'high' : 'medium',
    origins: [facts.button, titleText(facts), fact('autocomplete', field?.control.attributes.autocomplete)],
    sensitive: 'login',
  };
};

/** The kind of account that an administrator adds: `user` for `Add user`. */
function addedAccount({ titles, page, area, isEnglish }: Facts): Phrase | undefined {
  const title = titles[0] ?? (area === 'main' ? page.heading : undefined);
  const phrase = title && isEnglish ? readPhrase(title.text, false) : undefined;
  return phrase?.verb === 'add' && /\b(?:user|member|account|customer)$/.test(phrase.object) ? phrase : undefined;
}

const resetWords =
  /reset|change (?:your |my |the )?password|new password|update (?:your |my |the )?password|passwort (?:ändern|zurücksetzen)/;

interface Passwords {
  readonly facts: Facts;
  readonly secret: readonly Field[];
  /** The other text fields. */
  readonly rest: readonly Field[];
  readonly tokens: string;
  /** Whether the user chooses a new password. */
  readonly isNew: boolean;
  readonly found: ReturnType<typeof findAccountKind>;
  readonly origins: Draft['origins'];
}

/** A form with a password: a login, a new account, or a new password. */
export const passwordForms: Purpose = (facts) => {
  const secret = passwords(facts);
  if (secret.length === 0) return undefined;
  const tokens = secret.map(({ control }) => control.attributes.autocomplete ?? '').join(' ');
  const found = findAccountKind(facts);
  const form: Passwords = {
    facts,
    secret,
    rest: others(facts).filter((field) => isText(field) && !secret.includes(field)),
    tokens,
    isNew: tokens.includes('new-password') || secret.length > 1,
    found,
    origins: [facts.button, titleText(facts), found?.from, fact('type', secret[0]?.type), ...labelsOf(secret)],
  };
  return newPassword(form) ?? newAccount(form) ?? knownPassword(form);
};

function newPassword({ facts, secret, rest, tokens, isNew, found, origins }: Passwords): Draft | undefined {
  const labels = secret.map(nameOf).join(' ');
  const isChange = secret.length > 1 && (tokens.includes('current-password') || /\b(?:old|current)\b/.test(labels));
  const isReset = found?.kind === 'recovery' || /reset/.test(facts.words);
  const isAbout = (isReset || resetWords.test(facts.words)) && rest.length <= 1 && (isNew || found?.kind !== 'login');
  if (!isChange && isSignUp(found, isNew, rest)) return undefined;
  if (!isChange && !isAbout) return isNew && rest.length === 0 ? setPassword(facts, origins) : undefined;
  return {
    words: [isReset && !isChange ? 'reset' : 'change', 'password'],
    sentence: isReset && !isChange ? 'Sets a new password for the account' : 'Changes the password of the account',
    title: isReset && !isChange ? 'Reset the password' : 'Change the password',
    confidence: 'high',
    origins,
    sensitive: 'password-change',
  };
}

/** Whether a form is a registration. A login may be on a page for registrations. */
const isSignUp = (found: Passwords['found'], isNew: boolean, rest: readonly Field[]): boolean =>
  found?.kind === 'sign-up' && (found.isOwn || isNew || rest.length > 1);

/** The draft for a form that may be a registration, a change or a reset of a password. */
const setPassword = ({ button }: Facts, origins: Draft['origins']): Draft => ({
  words: ['set', 'password'],
  sentence: 'Sets a password that the user chooses',
  title: 'Set a password',
  confidence: button ? 'medium' : 'low',
  origins,
  sensitive: 'password',
});

function newAccount({ facts, rest, isNew, found, origins }: Passwords): Draft | undefined {
  const isNamed = isSignUp(found, isNew, rest);
  const isLogin = found?.kind === 'login' && found.isOwn && !isNew;
  const isLikely = isNew ? rest.length > 0 && (rest.length < 9 || rest.some(isEmail)) : isLikeSignUp(facts, rest);
  if (!isNamed && (isLogin || !isLikely)) return undefined;
  const added = addedAccount(facts);
  const what = added ? sentenceOf(added.verb ?? '', added.object) : 'Creates an account';
  return {
    words: added ? phraseWords(added) : ['create', 'account'],
    sentence: `${what}${withFields(rest, '', facts.isEnglish)}. The user chooses the password`,
    ...(!added && { title: 'Create an account' }),
    confidence: isNamed ? 'high' : 'medium',
    origins: [...origins, ...labelsOf(rest)],
    sensitive: 'sign-up',
  };
}

const ofProfile =
  /save|update|edit|change|profile?\b|settings|speichern|einstellungen|enregistrer|guardar|salvar?\b|opslaan|сохранить|zapisz|ulož/;

/** Whether a form has an email address, another text field and one password. Logins do not have all three. */
const isLikeSignUp = ({ words, fields }: Facts, rest: readonly Field[]): boolean =>
  rest.some(isEmail) &&
  rest.length > 1 &&
  rest.length < 9 &&
  fields.every(({ type }) => type !== 'textarea' && type !== 'file') &&
  !ofProfile.test(words);

const ofLogin = /^(?:text|email|tel|checkbox|number|radio|select-one)$/;

function knownPassword({ facts, secret, rest, tokens, found, origins }: Passwords): Draft | undefined {
  const isNamed = found?.kind === 'login';
  const isLong = rest.length > (isNamed && found.isOwn && secret.length === 1 ? 5 : 2);
  if (isLong || others(facts).some(({ type }) => !ofLogin.test(type))) return undefined;
  const shared = { confidence: 'medium', origins, sensitive: 'login' } as const;
  const isAlone = rest.length === 0;
  if (isAlone && /\bunlock\b/.test(facts.words)) {
    const sentence = 'Unlocks the locked session with the password that the user enters';
    return { ...shared, words: ['unlock', 'screen'], sentence, title: 'Unlock' };
  }
  if (isAlone && /confirm|sudo|verify/.test(facts.words)) {
    const sentence = 'Confirms an action with the password that the user enters';
    return { ...shared, words: ['confirm', 'password'], sentence };
  }
  if (!isNamed && (isAlone || !tokens.includes('current-password'))) return unknownPassword(facts, rest, origins);
  return {
    ...shared,
    words: ['log', 'in'],
    sentence: `Logs the user in to an account${withFields(rest, '', facts.isEnglish)}. The user enters the password`,
    title: 'Log in',
    confidence: 'high',
    origins: [...origins, ...labelsOf(rest)],
  };
}

/** The draft for a form that may be a login, a registration or the confirmation of an action. */
const unknownPassword = ({ isEnglish }: Facts, rest: readonly Field[], origins: Draft['origins']): Draft => ({
  words: ['enter', 'password'],
  sentence:
    rest.length === 0
      ? 'Submits a password that the user enters'
      : `Submits the form${withFields(rest, '', isEnglish)}. The user enters the password`,
  confidence: 'low',
  origins: [...origins, ...labelsOf(rest)],
  sensitive: 'password',
});
