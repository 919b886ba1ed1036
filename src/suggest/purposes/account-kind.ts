import type { Field } from '../page/fields.js';
import type { FoundText } from '../words/clean-text.js';
import { fact, isText, nameOf, type Facts } from './draft.js';

/** The purposes of account forms. */
export type AccountKind = 'login' | 'sign-up' | 'recovery';

const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

/** Converts to lower case and removes accents, so that words of identifiers match the words of labels. */
const folded = (text: string): string =>
  /^[ -~]*$/.test(text) ? text.toLowerCase() : withoutAccents(text.toLowerCase());

/** Creates a pattern that also matches words in identifiers, with any separator or none: `sign-in`, `createaccount`. */
const pattern = (...words: readonly string[]): RegExp =>
  new RegExp(withoutAccents(words.join('|')).replaceAll(' ', '[\\s_-]*'), 'u');

/** Words for logins in European and Asian languages. */
const login = pattern(
  '(?<!b)log in|log on|(?<!de)sign in(?!g)|sign on|returning (?:customer|user|member)|(?:registered|existing) (?:customer|user|member)',
  'already (?:an?|have|registered|subscribed)|anmeld|einlogg|connexion|connecte|identifie[zr]|deja (?:inscrit|client|membre)',
  'inicia(?:r|)(?: |te| tu )*ses|acced|ingres[ao]|identificate|entrar(?!\\p{L})|acessar|acessa|accesso|inlogg|(?<!\\p{L})entra(?!\\p{L})',
  'logga in|log ind|logg inn|logg pa|kirjaudu|logi sisse|prisijung|pieslegt|ieiet|zaloguj|logowani|prihlas|bejelentkez|belep',
  'autentific|prijav|войти|вход|авториз|влез|увійти|вхід|σύνδεση|είσοδος|giriş|oturum aç',
  'ログイン|サインイン|登录|登入|登陆|登錄|로그인|تسجيل الدخول|ورود|התחבר|כניסה|đăng nhập|(?<!\\p{L})masuk(?!\\p{L})|เข้าสู่ระบบ',
);
const signUp = pattern(
  'sign up|regist(?:er(?!ed)|r(?!ed)|ar)|(?:create|open|set up) (?:an? |a free |your |my |new |free )*account|new (?:account|customer|user|member)',
  '(?<!\\p{L})join(?!\\p{L})|get started|become (?:a |an )?(?:\\p{L}+ )?member|neukunde|neuer kunde|konto (?:erstell|anleg|eroffn)',
  "inscri(?!t)|s['’]inscrire|cree[rz] .{0,12}compte|nouveau (?:client|membre)|rejoign|crea(?:r|)(?: una| tu| mi| nueva)* cuenta|darse de alta",
  'nuevo (?:cliente|usuario)|cadastr|cri(?:e|ar) .{0,20}conta(?!\\p{L})|iscriv|crea .{0,12}account|nuov[oa] (?:cliente|utente)|account aanmaken|maak .{0,12}account',
  'skapa .{0,12}konto|opret |opprett |rekister|luo tili|rejestr|zaloz konto|inregistr|regisztr|kayit ol|uye ol|kaydol',
  'регистр|создать .{0,12}(?:аккаунт|учетную)|реєстр|εγγραφή|δημιουργία λογαριασμού',
  '新規登録|会員登録|ユーザー登録|無料登録|注册|註冊|注冊|회원가입|가입하기|إنشاء حساب|ثبت نام|عضویت|הרשמה|הרשם|đăng ký|(?<!\\p{L})daftar(?!\\p{L})|สมัคร|ลงทะเบียน',
);

const password = pattern(
  'passw|passcode|kennwort|mot de passe|contrasen|contrasinal|(?<!\\p{L})clave|senha|palavra passe|wachtwoord|hasł[oa]|hesl[oa]|jelsz|parol|lozink',
  'şifre|lösenord|adgangskode|passord|kodeord|salasana|slaptazod|geslo|парол|κωδικ|סיסמ|كلمة (?:المرور|السر)|رمز عبور|パスワード|密码|密碼|비밀번호|mật khẩu|รหัสผ่าน',
  '(?<!\\p{L})pwd(?!\\p{L})|pass(?!\\p{L})|pass(?=vergess|remind|forg|lost|recover|reset)',
);
const forgotten = pattern(
  'forg[oe]t|(?<!\\p{L})los[te]|reset|recover|retriev|remind|reissue|resend|find(?=pass)|vergess|zurücksetz|anforder|oubli|perdu|reinitialis|recuper|olvid|restable',
  'esquec|redefin|lembrar|dimentic|smarrit|reimpost|ricorda|vergeten|opnieuw|glömt|återställ|glemt|nulstil|unohd|primin|pamirš|aizmirs|unusta',
  'zapomn|zapomen|przypomn|odzysk|obnov|elfelejt|uitat|zaboravlj|pozab|unuttu|sıfırla|забы|забрав|восстан|востанов|відновл|забули|напомн|запрос|ξέχασ',
  '忘れ|再発行|再設定|リセット|忘记|忘記|找回|重置|찾기|재설정|نسيت|استعادة|فراموش|שכח|שחזור|quên|ลืม',
);
const recovery = pattern(
  'forgot(?:ten)? (?:your |my )?(?:account|user|login|details)',
  'account recovery',
  '(?<!\\p{L})f pass(?:wd|word)?(?!\\p{L})',
);

export const mentionsPassword = (text: string): boolean => password.test(folded(text));

const isRecovery = (text: string): boolean =>
  recovery.test(text) ||
  (forgotten.test(text) && (password.test(text) || /^\P{L}*(?:i )?forgot(?:ten)?\P{L}*$/u.test(text)));

/** Caches the purposes of strings, because the forms of a site share many of them. */
const knownKinds = new Map<string, AccountKind | undefined>();
const maxKnownKinds = 500;
const maxLength = 300;

/** The purpose that a string names; undefined if it names no purpose, or both a login and a registration. */
export function accountKindOf(raw: string): AccountKind | undefined {
  const text = raw.slice(0, maxLength);
  if (knownKinds.has(text)) return knownKinds.get(text);
  if (knownKinds.size >= maxKnownKinds) knownKinds.clear();
  const kind = kindOf(folded(text));
  knownKinds.set(text, kind);
  return kind;
}

function kindOf(text: string): AccountKind | undefined {
  if (isRecovery(text)) return signUp.test(text) ? undefined : 'recovery';
  const [isLogin, isSignUp] = [login.test(text), signUp.test(text)];
  if (isLogin === isSignUp) return undefined;
  return isLogin ? 'login' : 'sign-up';
}

/** The purpose of an account form, and the string that names it. */
interface FoundKind {
  readonly kind: AccountKind;
  readonly from: FoundText;
  /** Whether the string belongs to the form, not to its page. */
  readonly isOwn: boolean;
}

/**
 * Finds the purpose in the strings of a form, or else of its page. The most reliable strings are first: a heading or link near
 * a form may belong to another form.
 */
export function findAccountKind(facts: Facts): FoundKind | undefined {
  return ownAccountKind(facts) ?? firstKind([facts.page.heading, facts.page.title], false);
}

/** Finds the purpose in the strings of a form alone. */
export const ownAccountKind = (facts: Facts): FoundKind | undefined => firstKind(ownTexts(facts), true);

/** The strings of a form, in order of reliability. The label of the button is the most reliable. */
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

/** Whether a field is a "remember me" checkbox, which only logins have. */
const isRemember = ({ type, label, name }: Field): boolean =>
  type === 'checkbox' && (remember.test(label?.text ?? '') || /remember|auto-?login|persistent/i.test(name));

/** Whether a field identifies a user. */
export const isIdentity = (field: Field): boolean =>
  isText(field) && (/^(?:email|tel)$/.test(field.type) || identity.test(nameOf(field)));

const identity =
  /mail|user|usr|account|login|phone|nick|member|benutzer|utilisateur|identifiant|usuario|utente|utilizador|uživatel|użytkownik|correo|courriel|e-?post|sähköposti|логин|почт|пользовател|メール|邮箱|用户|아이디/;
