import assert from 'node:assert/strict';
import { it } from 'vitest';
import { skipWithout } from '../../../tools/programs.mjs';
import { both, isLive, prepareFlows, reads, type Flow } from '../flows.js';
import { password, startDokuWiki, withPassword, type DokuWiki } from './dokuwiki.js';

interface Texts {
  readonly wrongPassword: RegExp;
  readonly userExists: RegExp;
  readonly nothingFound: RegExp;
}

/** The reasons that a person reads on the pages of each language. Arabic pages run from right to left. */
const languages: Readonly<Record<string, Texts>> = {
  ar: {
    wrongPassword: /عذرا، اسم المشترك أو كلمة السر غير صحيحة/,
    userExists: /عذرا، يوجد مشترك بنفس الاسم/,
    nothingFound: /لا يوجد شيء/,
  },
  de: {
    wrongPassword: /Benutzername oder Passwort sind falsch/,
    userExists: /Der Benutzername existiert leider schon/,
    nothingFound: /Nichts gefunden/,
  },
  ja: {
    wrongPassword: /ユーザー名もしくはパスワードに誤りがあります/,
    userExists: /このユーザー名は既に存在しています/,
    nothingFound: /該当文書はありませんでした/,
  },
};

const flowsOf = (wiki: DokuWiki, { wrongPassword, userExists, nothingFound }: Texts): readonly Flow[] => [
  {
    name: 'A wrong name or password is refused with the reason of the page',
    page: 'doku.php?id=staff:plan&do=login',
    tool: 'log_in',
    input: (path) => withPassword(path, { u: isLive(path) ? 'ada' : 'nobody' }, { p: 'wrong' }),
    check: reads(wrongPassword),
  },
  {
    name: 'The name of another user is refused with the reason of the page',
    page: 'doku.php?id=start&do=register',
    tool: 'register',
    input: (path) => {
      const user = { login: 'ada', fullname: 'Another Ada', email: 'another@example.com' };
      return withPassword(path, user, { pass: password, passchk: password });
    },
    check: both(reads(userExists), () => {
      assert.equal(wiki.user('ada')?.[2], 'Ada Lovelace');
    }),
  },
  {
    name: 'A search without results reports it',
    page: 'doku.php?id=start',
    tool: 'search',
    input: () => ({ q: '存在しない' }),
    check: reads(nothingFound),
  },
];

const skip = skipWithout('dokuwiki');
if (skip) it('DokuWiki in other languages', { skip }, () => undefined);
else {
  const prepared: (() => void)[] = [];
  for (const [language, texts] of Object.entries(languages)) {
    const wiki = await startDokuWiki(language);
    prepared.push(await prepareFlows({ ...wiki, name: `DokuWiki (${language})` }, flowsOf(wiki, texts)));
  }
  for (const addTests of prepared) addTests();
}
