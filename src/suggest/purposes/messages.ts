import type { Field } from '../page/fields.js';
import { fieldList, fieldNoun, withFields } from '../words/field-list.js';
import { nameWords, verbNoun } from '../words/names.js';
import { readPhrase } from '../words/phrase.js';
import { withArticle } from '../words/verbs.js';
import { fact, isEmail, isText, labelsOf, nameOf, others, passwords, titleText, type Purpose } from './draft.js';

export const unsubscribe: Purpose = (facts) => {
  if (!/unsubscribe|abbestellen|désabonner/.test((facts.button?.text ?? '').toLowerCase())) return undefined;
  return {
    words: ['unsubscribe'].concat(/newsletter/.test(facts.words) ? ['newsletter'] : ['email']),
    sentence: `Unsubscribes ${others(facts).some(isEmail) ? 'an email address ' : ''}from ${/newsletter/.test(facts.words) ? 'the newsletter' : 'further emails'}`,
    confidence: 'high',
    origins: [facts.button, titleText(facts)],
  };
};

const news = [
  'subscribe newsletter',
  'Subscribes to the newsletter',
  ' with an email address',
  'Subscribe to the newsletter',
] as const;
const subscription = [
  'subscribe email',
  'Subscribes an email address to the updates of the site',
  '',
  'Subscribe by email',
] as const;
const updates = [
  'request email updates',
  'Requests updates by email',
  ', sent to the given address',
  'Get updates by email',
] as const;
const notification = [
  'request notification',
  'Asks the site to send a notification by email',
  ', to the given address',
  'Get notified by email',
] as const;

export const newsletter: Purpose = (facts) => {
  const fields = others(facts);
  const email = fields.find(isEmail);
  if (
    !email ||
    fields.length > 3 ||
    passwords(facts).length > 0 ||
    fields.some(({ type }) => type === 'textarea' || type === 'file')
  )
    return undefined;
  const words = `${facts.words} ${fields.map(nameOf).join(' ')}`;
  const isNews = /newsletter|mailing list/.test(words);
  const isSubscribe = /subscri|abonnier|s['’]abonner|suscrib/.test(words);
  const isUpdates = /\b(?:updates|stay in the loop|stay tuned|news)\b/.test(words);
  const isNotification = /\b(?:notify|notified)\b/.test(words);
  const isOther = /contact|message|quote|invite|reset|forgot|account|profile|settings|address book/.test(
    facts.button?.text.toLowerCase() ?? '',
  );
  if (isOther || !(isNews || isSubscribe || isUpdates || isNotification)) return undefined;
  const origins = [
    facts.button,
    titleText(facts),
    email.label,
    ...facts.idWords.filter((word) => /newsletter|subscri/.test(word)).map((word) => fact('id', word)),
  ];
  const [kind, start, end, title] = isNews ? news : isSubscribe ? subscription : isUpdates ? updates : notification;
  return {
    words: kind.split(' '),
    title,
    sentence: `${start}${fields.length > 1 ? withFields(fields, '', facts.isEnglish) : end}`,
    confidence: isNews ? 'high' : 'medium',
    origins,
  };
};

export const contact: Purpose = (facts) => {
  const fields = others(facts);
  const area = fields.find(({ type }) => type === 'textarea');
  if (!area || !facts.isEnglish) return undefined;
  const isMessage = /message|enquiry|inquiry|comments?\b|question/.test(nameOf(area));
  const isMail = fields.some(({ label }) => /^(?:to|b?cc|recipients?)\b/i.test(label?.text ?? ''));
  const isContact =
    !isMail &&
    /\bcontact\b|get in touch|keep in touch|send (?:us )?(?:a |your )?message|write (?:to )?us|reach (?:out|us)|enquiry|inquiry|let['’]?s talk/.test(
      `${facts.words} ${isMessage ? `${facts.page.heading?.text ?? ''}`.toLowerCase() : ''}`,
    );
  if (
    !(isContact && (fields.some(isEmail) || isMessage)) &&
    !(/^send( message| now)?$/i.test(facts.button?.text ?? '') && isMessage)
  )
    return undefined;
  return {
    words: ['send', 'message'],
    sentence: `Sends a message${isContact ? ' through the contact form' : ''}${senderFields(
      fields.filter((field) => field !== area),
      area,
    )}`,
    title: isContact ? 'Contact' : 'Send a message',
    confidence: isContact ? 'high' : 'medium',
    origins: [facts.button, titleText(facts), ...labelsOf(fields)],
  };
};

function senderFields(fields: readonly Field[], area: Field): string {
  const isSender = fields.every((field) => isEmail(field) || /name|phone|tel|company|website/.test(nameOf(field)));
  const isCertain = fields.length > 0 && isSender && !fieldList(fields, true).isQuoted;
  return isCertain ? `${withFields(fields)} of the sender` : withFields([...fields, area]);
}

/** A chat message or a comment: a form with a single text field. */
export const line: Purpose = (facts) => {
  const [field, ...more] = others(facts);
  if (!field || more.length > 0 || !isText(field) || isEmail(field) || !facts.isEnglish) return undefined;
  const kind = /\b(comment|reply|message)\b/.exec(nameOf(field))?.[1];
  const isSent = /^(?:send|post|reply|comment|submit)?(?: message| comment| reply)?$/i.test(facts.button?.text ?? '');
  if (kind === undefined || !isSent) return undefined;
  const verb = kind === 'message' ? 'send' : 'post';
  return {
    words: [verb, kind],
    sentence: `${verb === 'send' ? 'Sends' : 'Posts'} a ${kind} with the given text`,
    confidence: 'high',
    origins: [field.label, facts.button, titleText(facts)],
  };
};

export const comment: Purpose = (facts) => {
  const fields = others(facts);
  const area = fields.find(({ type }) => type === 'textarea');
  if (!area || !facts.isEnglish || fields.length > 6) return undefined;
  const text = `${facts.button?.text ?? ''} ${titleText(facts)?.text ?? ''}`.toLowerCase();
  const kind =
    /\breply\b/.test(text) && !/comment/.test(text)
      ? 'reply'
      : /comment/.test(text) || /^comment/.test(area.name.toLowerCase())
        ? 'comment'
        : undefined;
  if (kind === undefined) return undefined;
  const rest = fields.filter((field) => field !== area);
  return {
    words: ['post', kind],
    sentence: `Posts a ${kind}${rest.length > 0 ? `${withFields(rest)} of the author` : ' with the given text'}`,
    title: `Post a ${kind}`,
    confidence: 'high',
    origins: [facts.button, titleText(facts), area.label],
  };
};

export const upload: Purpose = (facts) => {
  const files = facts.fields.filter(({ type }) => type === 'file');
  const [file] = files;
  if (!file || others(facts).length > files.length + 1) return undefined;
  const phrase = readPhrase(facts.button?.text ?? '', true);
  if (
    facts.isEnglish &&
    phrase.verb !== undefined &&
    phrase.object !== '' &&
    phrase.verb !== 'submit' &&
    !/^(?:files?|changes)$/.test(phrase.object)
  )
    return undefined;
  const noun = facts.isEnglish ? fileNoun(file) : '';
  const isImage = /^image\//.test(file.control.attributes.accept ?? '');
  const object =
    noun && noun !== 'file'
      ? noun
      : isImage
        ? 'image'
        : file.control.attributes.multiple === undefined
          ? 'file'
          : 'files';
  return {
    words: verbNoun('upload', object),
    sentence: `Uploads ${withArticle('upload', object)} from the user's device`,
    title: `Upload ${withArticle('upload', object)}`,
    confidence: noun ? 'high' : 'medium',
    origins: [facts.button, file.label, fact('type', 'file'), titleText(facts)],
  };
};

/** The noun of a file, such as `photo` of `Upload your photo`. */
function fileNoun(file: Field): string {
  const text = (file.label?.text ?? '')
    .replace(/^(?:(?:drag and )?drop|upload|choose|select|attach) (?=a |an |the |your |files?$)/i, '')
    .replace(/ upload$/i, '');
  return fieldNoun({ ...file, label: file.label && { ...file.label, text } }).replace(/^input$/, '');
}

export const cart: Purpose = (facts) => {
  const text = (facts.button?.text ?? '').toLowerCase();
  const found = /^add to (?:my |your |the |shopping )*(cart|basket|bag|wish ?list|favou?rites)$/.exec(text)?.[1];
  if (found === undefined) return undefined;
  return {
    words: ['add', 'to', ...nameWords(found)],
    sentence: `Adds the product to the ${found}${withFields(facts.fields)}`,
    title: `Add to ${found}`,
    confidence: 'high',
    origins: [facts.button, titleText(facts)],
  };
};
