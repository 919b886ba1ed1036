import { accountKindOf, mentionsPassword, ownAccountKind, isIdentity, ownTexts } from './account-kind.js';
import { fieldNoun, listedFields, quote, withFields } from '../words/field-list.js';
import type { Field } from '../page/fields.js';
import { fact, isText, labelsOf, others, passwords, titleText, type Draft, type Facts, type Purpose } from './draft.js';

const maxFields = 6;

/** Whether a form identifies a user and has no password. */
const isOfUser = (facts: Facts): boolean => {
  const fields = others(facts);
  return (
    passwords(facts).length === 0 &&
    fields.length <= maxFields &&
    fields.some(isIdentity) &&
    fields.every(({ type }) => type !== 'textarea' && type !== 'file')
  );
};

/** A request to reset a forgotten password. */
export const forgotten: Purpose = (facts) => {
  if (!isOfUser(facts) && !others(facts).some(isText)) return undefined;
  if (passwords(facts).length > 0) return undefined;
  const { button, page } = facts;
  const isRecovery = (text = ''): boolean => accountKindOf(text) === 'recovery';
  const own = ownTexts(facts);
  const isOwn =
    own.some((each) => isRecovery(each?.text)) ||
    mentionsPassword(button?.text ?? '') ||
    (isOfUser(facts) && others(facts).length === 1 && own.some((each) => mentionsPassword(each?.text ?? '')));
  if (accountKindOf(button?.text ?? '') === 'sign-up') return undefined;
  // The page is read last, because its headings are far from most forms.
  const isOfPage = (): boolean => isRecovery(page.heading?.text) || isRecovery(page.title?.text);
  if (!isOwn && !(isOfUser(facts) && isOfPage())) return undefined;
  const field = others(facts).find(isIdentity);
  const noun = field && facts.isEnglish ? fieldNoun(field) : '';
  return {
    words: ['request', 'password', 'reset'],
    sentence: `Requests a password reset for the account${noun ? ` with the given ${noun}` : ''}`,
    title: 'Request a password reset',
    confidence: 'high',
    origins: [button, titleText(facts), page.heading, field?.label],
    sensitive: 'password-reset',
  };
};

/** A login whose password is on the next page, or is computed by a template. */
export const unseenLogin: Purpose = (facts) => {
  const fields = others(facts);
  if (fields.length > 3) return undefined;
  const found = ownAccountKind(facts);
  if (passwords(facts).length > 0 || found?.kind !== 'login') return undefined;
  const isByButton = found.from === facts.button;
  if ((!isByButton && !isOfUser(facts)) || /newsletter/.test(facts.words)) return undefined;
  return {
    words: ['log', 'in'],
    sentence: `Logs the user in to an account${withFields(fields, '', facts.isEnglish)}`,
    title: 'Log in',
    confidence: isByButton ? 'high' : 'medium',
    origins: [facts.button, titleText(facts), found.from, ...labelsOf(fields)],
    sensitive: 'login',
  };
};

const account =
  /account|konto|compte|cuenta|\bconta\b|\buser|\bmember|kunde|client|учетную|аккаунт|会員|ユーザー|用户|회원|зарегистр|регистрац/;
/** Words of registrations that are not for an account. */
const ofOther =
  /\b(?:for|event|webinar|workshop|course|conference|list)\b|newsletter|nyhedsbrev|e-?mail.?sign|updates|subscri|abonn|подпис|рассыл/;

/** A registration whose password is on the next page, or is sent to the user. */
export const unseenSignUp: Purpose = (facts) => {
  const found = ownAccountKind(facts);
  if (found?.kind !== 'sign-up' || passwords(facts).length > 0) return undefined;
  const fields = others(facts);
  if (!fields.some(isText)) return registrationStep(facts);
  if (!fields.some(isIdentity) || fields.some(({ type }) => type === 'file')) return undefined;
  const text = found.from.text.toLowerCase();
  const isNamed = account.test(text);
  if (
    ofOther.test(
      `${facts.words} ${labelsOf(fields)
        .map((label) => label?.text)
        .join(' ')}`.toLowerCase(),
    )
  )
    return undefined;
  if (!isNamed && !isOfAccount(facts, fields)) return undefined;
  return {
    words: ['create', 'account'],
    sentence: `Creates an account${withFields(fields, '', facts.isEnglish)}`,
    title: 'Create an account',
    confidence: isNamed ? 'high' : 'medium',
    origins: [facts.button, titleText(facts), found.from, ...labelsOf(fields)],
    sensitive: 'sign-up',
  };
};

/** A page of a registration without user data, such as the terms of service. */
function registrationStep(facts: Facts): Draft | undefined {
  const { button, titles, description } = facts;
  const from = titles.find(({ text }) => accountKindOf(text) === 'sign-up');
  if (!from || !button || description.method !== 'post' || ofOther.test(from.text.toLowerCase())) return undefined;
  return {
    words: ['continue', 'registration'],
    sentence: `Continues the registration with the button ${quote(button.text)}`,
    title: 'Continue the registration',
    confidence: 'medium',
    origins: [from, button],
    sensitive: 'sign-up',
  };
}

/** Whether a route or a user name indicates a registration for an account. An email address alone may be for a newsletter. */
function isOfAccount({ actionWords, idWords }: Facts, fields: readonly Field[]): boolean {
  const route = [...actionWords, ...idWords].join(' ');
  if (fields.length > 1 && fields.some(({ name }) => /user|login|nick/i.test(name))) return true;
  const isRegister = /\bregist(?:er|ration)/.test(route) || accountKindOf(route) === 'sign-up';
  return isRegister && (fields.length > 1 || /account|\b(?:user|member|customer|auth)/.test(route));
}

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
