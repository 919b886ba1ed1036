import { nameSet } from '../../compiler/html/elements.js';
import { capitalized } from './clean-text.js';

/** Verbs at the beginning of the labels of buttons and of headings. */
export const verbs = nameSet(
  'accept activate add adjust allow apply approve archive ask assess assign attach authenticate authorise authorize ban become begin block ' +
    'book browse buy calculate cancel change check choose claim clear clone close collect comment compare complete compose compute ' +
    'configure confirm connect contact convert copy create customise customize deactivate decline define delete deny describe destroy ' +
    'disable discard disconnect donate download duplicate edit email enable enrol enroll enter erase estimate export file filter find ' +
    'follow generate get give go grant hide import increase insert invite issue join leave link list load lock log look make ' +
    'manage mark merge message modify move name nominate notify obtain open order override pause pay pick place plan play post preview ' +
    'print process provide publish purchase rate recommend record recover redeem refine refresh refund register reject release ' +
    'remove rename renew reopen reorder reply report request reschedule resend reserve reset resolve respond restart restore ' +
    'resume retrieve return review revoke rsvp run save scan schedule search see select sell send set share show sign simulate skip sort ' +
    'start stop submit subscribe suggest suspend switch synchronise synchronize tell terminate test track transfer translate try ' +
    'unblock unfollow uninstall unlink unlock unsubscribe update upgrade upload use validate verify view vote withdraw write',
);

/** Verbs that are nouns in headings such as `Order details`, unless an object follows. */
const nouns = nameSet(
  'access archive assess book check claim comment contact copy email file filter issue link list lock log look mark message name order ' +
    'place plan play post preview print process purchase rate record refund release report request return review run save ' +
    'scan schedule search set share sign sort start stop switch test track transfer update upgrade upload use view vote ' +
    'order export import download reply display show filter block register project transfer',
);

/** Words that begin an object, so that the preceding word is a verb. */
const determiners = nameSet(
  'a an the your my our this that these those new all any one some each every no another more us it them in on up for to out off with by as',
);

/** Verbs that do not describe the purpose of a form. */
export const genericVerbs = nameSet(
  'submit send save go apply complete confirm process enter update skip accept start begin use proceed continue',
);

/** Labels of generic buttons, by their verbs. */
const genericLabels = {
  submit:
    'submit,submit form,submit button,submit now,send,send form,send now,continue,next,next step,go,ok,okay,done,finish,proceed,enter,' +
    'click here,button,save and continue,let s go,complete,get started,start,start now,default,primary,primary button,back,previous,' +
    'yes,process,process form',
  'sign up': 'sign up now',
  save: 'save,save changes,save change,save all,save settings,save now,save and close,save and add another,save and continue editing',
  update: 'update,update now',
  apply: 'apply,apply now',
  confirm: 'confirm',
};

const genericButtons: ReadonlyMap<string, string> = new Map(
  Object.entries(genericLabels).flatMap(([verb, labels]) => labels.split(',').map((label) => [label, verb] as const)),
);

export const genericVerbOf = (button: string): string | undefined =>
  genericButtons.get(
    button
      .toLowerCase()
      .replace(/[^\p{L}]+/gu, ' ')
      .trim(),
  );

/** Whether the first word of a string is a verb. */
export const isVerb = (word: string, next: string | undefined, isButton: boolean): boolean =>
  verbs.has(word) && (isButton || !nouns.has(word) || (next !== undefined && determiners.has(next)));

/** The third person: `Creates`. */
export function thirdPerson(verb: string): string {
  const ending = /(?:s|x|z|ch|sh|o)$/.test(verb)
    ? `${verb}es`
    : /[^aeiou]y$/.test(verb)
      ? `${verb.slice(0, -1)}ies`
      : `${verb}s`;
  return capitalized(ending);
}

const creating = nameSet(
  'add book compose create generate invite issue make open order place post publish record register report request reserve schedule send share start submit suggest upload write file',
);
const uncountable =
  /^(?:access|advice|cash|content|data|email|feedback|funds|help|information|info|media|money|news|support|text|details|input|permission|confirmation)$/;

/** An object with its article: `a project`, `the profile`, `changes`. */
export function withArticle(verb: string, object: string): string {
  const [first = ''] = object.split(' ');
  if (determiners.has(first.toLowerCase()) && !/^(?:new|more)$/i.test(first)) return object;
  if (/^(?:\d|now$|here$|another$|one$|each$|every$|to$|from$|at$|about$|via$|using$)/i.test(first)) return object;
  const head = headNoun(object);
  const isPlural = /s$/i.test(head) && !/(?:ss|us|is)$/i.test(head);
  if (!creating.has(verb)) return `the ${object}`;
  if (isPlural || uncountable.test(head.toLowerCase())) return object;
  const isVowel = /^\p{Lu}{2,}$/u.test(first) ? /^[AEFHILMNORSX]/.test(first) : /^(?:[aeio]|u(?!s|ni|k))/i.test(first);
  return `${isVowel ? 'an' : 'a'} ${object}`;
}

export const prepositions = 'of to for in on at by from with about as into via per';
/** Words that can follow the main noun of a phrase, such as `of` in `list of items`. */
export const afterHead = nameSet(`${prepositions} and or`);

/** The main noun of a phrase, such as `list` in `list of items`. */
function headNoun(object: string): string {
  const words = object.split(' ');
  const end = words.findIndex((word, index) => index > 0 && afterHead.has(word.toLowerCase()));
  return words[(end < 0 ? words.length : end) - 1] ?? '';
}
