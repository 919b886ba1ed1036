import type { Field } from '../page/fields.js';
import { phraseWords, readPhrase, sentenceOf, type Phrase } from '../words/phrase.js';
import { fieldNoun, listedFields, withFields } from '../words/field-list.js';
import {
  fact,
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

const signUpWords =
  /sign.?up|register|registration|create (?:an |your |a new |my )?account|new account|registrieren|inscri|regístr|crear (?:una )?cuenta|konto erstellen/;

/** The noun that an administrator adds: of `Add user`, `user`. */
function addedAccount({ titles, page, area, isEnglish }: Facts): Phrase | undefined {
  const title = titles[0] ?? (area === 'main' ? page.heading : undefined);
  const phrase = title && isEnglish ? readPhrase(title.text, false) : undefined;
  return phrase?.verb === 'add' && /\b(?:user|member|account|customer)$/.test(phrase.object) ? phrase : undefined;
}

const loginVerbs = 'log.?in|sign.?in|log on|anmelden|einloggen|inloggen';
const loginWords = new RegExp(`${loginVerbs}|connexion|iniciar|acceder|accedi`);
const loginButton = new RegExp(`^(?:${loginVerbs})$`, 'i');
const resetWords =
  /reset|change (?:your |my |the )?password|new password|update (?:your |my |the )?password|passwort (?:ändern|zurücksetzen)/;

interface Passwords {
  readonly facts: Facts;
  readonly secret: readonly Field[];
  /** The other text fields. */
  readonly rest: readonly Field[];
  readonly tokens: string;
  readonly isSignUp: boolean;
  readonly origins: Draft['origins'];
}

export const passwordForms: Purpose = (facts) => {
  const secret = passwords(facts);
  if (secret.length === 0) return unseenLogin(facts);
  const rest = others(facts).filter((field) => isText(field) && !secret.includes(field));
  const isSignUp =
    (signUpWords.test(facts.words) || (/\bjoin\b|get started/.test(facts.words) && !loginWords.test(facts.words))) &&
    !resetWords.test((facts.button?.text ?? '').toLowerCase());
  const found = {
    facts,
    secret,
    rest,
    tokens: secret.map(({ control }) => control.attributes.autocomplete ?? '').join(' '),
    isSignUp,
    origins: [facts.button, titleText(facts), fact('type', secret[0]?.type), ...labelsOf(secret)],
  };
  return newPassword(found) ?? newAccount(found) ?? knownPassword(found);
};

function newPassword({ facts, secret, rest, tokens, isSignUp, origins }: Passwords): Draft | undefined {
  const isNew = tokens.includes('new-password') || secret.length > 1;
  const labels = secret.map(nameOf).join(' ');
  const isChange = secret.length > 1 && (tokens.includes('current-password') || /\b(?:old|current)\b/.test(labels));
  const isAbout = resetWords.test(facts.words) && rest.length <= 1;
  if (!isChange && isSignUp) return undefined;
  if (!isChange && !isAbout) return isNew && rest.length === 0 ? setPassword(facts, origins) : undefined;
  const isReset = /reset/.test(facts.words) && !isChange;
  return {
    words: [isReset ? 'reset' : 'change', 'password'],
    sentence: isReset ? 'Sets a new password for the account' : 'Changes the password of the account',
    title: isReset ? 'Reset the password' : 'Change the password',
    confidence: 'high',
    origins,
    sensitive: 'password-change',
  };
}

/** A form of which it is unknown whether it is for a new account, a change or a reset. */
const setPassword = ({ button }: Facts, origins: Draft['origins']): Draft => ({
  words: ['set', 'password'],
  sentence: 'Sets a password that the user chooses',
  title: 'Set a password',
  confidence: button ? 'medium' : 'low',
  origins,
  sensitive: 'password',
});

function newAccount({ facts, secret, rest, tokens, isSignUp, origins }: Passwords): Draft | undefined {
  const isNew = tokens.includes('new-password') || secret.length > 1;
  if (!isSignUp && !(isNew && rest.length > 0 && rest.length < 9)) return undefined;
  const added = addedAccount(facts);
  const what = added ? sentenceOf(added.verb ?? '', added.object) : 'Creates an account';
  return {
    words: added ? phraseWords(added) : ['create', 'account'],
    sentence: `${what}${withFields(rest, '', facts.isEnglish)}. The user chooses the password`,
    ...(!added && { title: 'Create an account' }),
    confidence: isSignUp ? 'high' : 'medium',
    origins: [...origins, ...labelsOf(rest)],
    sensitive: 'sign-up',
  };
}

const ofLogin = /^(?:text|email|tel|checkbox|number|radio|select-one)$/;

function knownPassword({ facts, rest, tokens, origins }: Passwords): Draft | undefined {
  if (rest.length > 2 || others(facts).some(({ type }) => !ofLogin.test(type))) return undefined;
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
  const isLogin =
    loginWords.test(`${facts.words} ${facts.page.title?.text ?? ''}`.toLowerCase()) ||
    (!isAlone && (tokens.includes('current-password') || facts.fields.some(isRemember)));
  if (!isLogin) return unknownPassword(facts, rest, origins);
  return {
    ...shared,
    words: ['log', 'in'],
    sentence: `Logs the user in to an account${withFields(rest, '', facts.isEnglish)}. The user enters the password`,
    title: 'Log in',
    confidence: 'high',
    origins: [...origins, ...labelsOf(rest)],
  };
}

const isRemember = ({ type, label }: Field): boolean =>
  type === 'checkbox' && /\bremember\b|stay (?:signed|logged) in|keep me/i.test(label?.text ?? '');

/** A login, a registration or the confirmation of another action. */
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

/** A login whose password is on the next page, or comes from a template. */
function unseenLogin(facts: Facts): Draft | undefined {
  const fields = others(facts);
  const isLogin = loginButton.test(facts.button?.text ?? '');
  if (!isLogin || fields.length > 2) return undefined;
  return {
    words: ['log', 'in'],
    sentence: `Logs the user in to an account${withFields(fields, '', facts.isEnglish)}`,
    title: 'Log in',
    confidence: 'high',
    origins: [facts.button, titleText(facts), ...labelsOf(fields)],
    sensitive: 'login',
  };
}

const forgottenWords =
  /(?:forg[oe]t|reset|recover|lost)\b.{0,20}\b(?:password|account|passcode)|password (?:reset|recovery)|forgot|get (?:a )?new password/;

export const forgotten: Purpose = (facts) => {
  const [field, ...more] = others(facts);
  if (!facts.isEnglish || !field || more.length > 0 || !isText(field)) return undefined;
  if (!/e-?mail|user|account|login|phone/.test(nameOf(field))) return undefined;
  const isAbout = (text = ''): boolean => forgottenWords.test(text.toLowerCase());
  if (!isAbout(facts.words) && !isAbout(facts.page.heading?.text) && !isAbout(facts.page.title?.text)) return undefined;
  return {
    words: ['request', 'password', 'reset'],
    sentence: `Requests a password reset for the account${fieldNoun(field) ? ` with the given ${fieldNoun(field)}` : ''}`,
    title: 'Request a password reset',
    confidence: 'high',
    origins: [facts.button, titleText(facts), facts.page.heading, field.label],
  };
};

export const logout: Purpose = (facts) => {
  if (listedFields(facts.fields).length > 0) return undefined;
  const text = `${facts.button?.text ?? ''} ${facts.actionWords.join(' ')}`;
  if (
    !/\b(?:log ?(?:out|off)|sign ?(?:out|off)|signout|abmelden|ausloggen|déconnexion|cerrar sesión|uitloggen)\b/i.test(
      text,
    )
  )
    return undefined;
  return {
    words: ['log', 'out'],
    sentence: 'Logs the user out',
    title: 'Log out',
    confidence: 'high',
    origins: [facts.button, fact('action', facts.description.action)],
  };
};
