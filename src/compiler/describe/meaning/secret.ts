import type { ControlDescription } from '../../description.js';
import { lazy, memoizeTest } from '../../../lazy.js';
import { collapseWhitespace, splitOnAsciiWhitespace } from '../../html/text.js';
import { preview } from '../../preview.js';

/** The facts about a form that affect the meaning of its controls. */
interface FormContext {
  /** Whether a control asks for the number of a payment card. */
  readonly hasCard: () => boolean;
  /** Whether the form is for a payment. */
  readonly isPayment: () => boolean;
}

interface Words {
  /** The name and the ID as words: `cardNumber` and `card_number` as `card number`. */
  readonly identifiers: readonly string[];
  readonly labels: readonly string[];
}

const types = /^(?:text|search|tel|number|month|select-one)$/;
const maxLength = 300;

const cardNumber = memoizeTest(
  /\b(?:(?:credit|debit|payment|bank)[ -]?)?card ?(?:num(?:ber)?|no|nr|pan|#)\b|\bcc ?(?:num(?:ber)?|no|nr)\b|\bccn\b|\b(?:kredit)?karten ?nummer\b|\bnum[eé]ro (?:de |d[eu] la )?(?:tarjeta|carte|cart[aã]o)\b|\b(?:tarjeta|carte|cart[aã]o) n[uú]m(?:[eé]ro)?\b|\bnumero (?:della )?carta\b|номер карты|\bnumer karty\b|\bkort ?nummer\b|\bkart numaras[iı]|卡号|カード番号|카드\s?번호/iu,
);
/** Cards that are not payment cards. */
const otherCard = memoizeTest(
  /library|member|loyal|student|bonus|discount|business|\bsim\b|gift|score|club|healt|insur|\bid card|fidel|rabatt|patient|bibliot|clubcard|reward/iu,
);
const cardCode = memoizeTest(
  /\b(?:cvv2?|cvc2?|cvn|csc|cid)\b|\bcard ?(?:verification|validation|security|id) ?(?:code|value|number|no)?\b|\b(?:karten)?pr[uü]f(?:nummer|ziffer)\b|\bcryptogramme\b|(?:код|номер) (?:cvv|cvc)|カード確認|セキュリティコード/iu,
);
/** Card details. They count only in a form that asks for a card number. */
const cardDetail = memoizeTest(
  /\bexp(?:ir(?:y|es|ation))?\b|\bvalid (?:until|thru|through|to)\b|\bsecurity ?code\b|\bcard ?code\b|\bg[uü]ltig bis\b|\bablauf|\bexpiration\b|\bvencimiento\b|\bcaducidad\b|\bscadenza\b|\bvalidade\b|срок действия|\bwa[zż]n|\bc[oó]digo de seguridad\b|\bcode de s[eé]curit[eé]\b|\bsicherheitscode\b|有効期限|有效期/iu,
);
const oneTimeCode = memoizeTest(
  /\b(?:otp|totp|2fa|mfa)\b|\bone[ -]?time[ -]?(?:code|pass(?:word|code)?|pin)\b|\btwo[ -]?factor\b|\b(?:sms|authentication|authenticator|verification|login|security) ?(?:code|key)\b|\beinmal(?:code|passwort|kennwort)\b|\bcode (?:sms|de v[eé]rification)\b|\bc[oó]digo (?:sms|de verificaci[oó]n)\b|код (?:из|подтвержд)|认证码|短信|認証コード|인증\s?번호/iu,
);
const pin = memoizeTest(/(?:^|\W)pin(?: ?(?:number|no))?(?:$|\W)/iu);
/** In India, a PIN code is a postal code. */
const postal = memoizeTest(/\bpin ?code\b|\bzip|\bpost|\bdrop a pin\b/iu);
const nationalNumber = memoizeTest(
  /\b(?:ssn|nino)\b|\bsocial (?:security|insurance) ?(?:num(?:ber)?|no|nr|#)?\b|\bnational (?:insurance|id(?:entity|entification)?) ?(?:num(?:ber)?|no|card)?\b|\bsozialversicherungsnummer\b|\bsteuer ?id\b|\bcpf\b|\bdni\b|\bcurp\b|\bcodice fiscale\b|\bbsn\b|\bburgerservicenummer\b|\bpersonnummer\b|\bpesel\b|\bсна?илс\b|\baadha?ar\b|\bpan (?:number|card)\b|\bt\.? ?c\.? kimlik|身份证|주민등록|マイナンバー/iu,
);
const iban = memoizeTest(
  /\biban\b|\b(?:bank )?account (?:num(?:ber)?|no)\b|\bkontonummer\b|\brouting (?:num(?:ber)?|no)\b|\bsort code\b/iu,
);
const payment =
  /\b(?:pay(?:ment)?|checkout|donat\w*|amount|direct debit|sepa|billing|zahl\w*|bezahl\w*|spende\w*|betrag|lastschrift|paiement|payer|montant|pago|pagar|importe|pagamento|importo|оплат\w*|betal\w*|bedrag)\b/iu;
const password = memoizeTest(
  /(?:^|\W|\w(?=passw))(?:pass(?:word|wd|code|phrase|wort)?|p(?:s?wd?|asswrd)|kennwort|mot de passe|mdp|contrase[nñ]a|senha|palavra passe|parola?|пароль|парол\S*|wachtwoord|l[oö]senord|adgangskode|passord|has[lł]o|heslo|jelsz[oó]|kodeord|slapta[zž]odis|lozinka|geslo|parool|kata sandi|[sş]ifre|salasana|密码|密碼|パスワード|비밀번호|m[aậ]t kh[aẩ]u|κωδικ[οό]ς|รหัสผ่าน|סיסמה|كلمة (?:المرور|السر)|رمز عبور)(?:\W|$)/iu,
);
/** Words whose presence shows that a field is not a password, such as in "password hint". */
const aboutPassword = memoizeTest(
  /hint|forgot|chiave|user|e-?mail|\bski\b|season|boarding|\bday pass|answer|question|reset|show|strength|generat|length|policy|\bpass(?:es)? (?:type|number|holder)/iu,
);

/** Reads the words of a form when a control needs them, because most forms have no control that could be a secret. */
export function formContext(controls: readonly ControlDescription[]): FormContext {
  const words = lazy(() =>
    controls.filter(({ type }) => types.test(type)).map((control) => wordsOf(control, () => null)),
  );
  const hasCard = lazy(
    () =>
      controls.some(({ attributes }) => /\bcc-(?:number|csc)\b/i.test(attributes.autocomplete ?? '')) ||
      words().some((each) => find(each, cardNumber, otherCard)),
  );
  const isPayment = lazy(() => {
    const buttons = controls.filter(({ type }) => type === 'submit' || type === 'image');
    const said = [
      ...words().flatMap(({ identifiers, labels }) => [...identifiers, ...labels]),
      ...buttons.flatMap(({ words: texts, attributes }) => [...texts.map(({ text }) => text), attributes.value ?? '']),
    ];
    return said.some((text) => payment.test(text.slice(0, maxLength)));
  });
  return { hasCard, isPayment };
}

/**
 * The reason why a control asks for a secret: payment card data, a one-time code, a PIN, a password in a text field,
 * the number of an account that is charged, or a national identification number. Undefined for other controls, and if
 * `autocomplete` names an autofill field.
 *
 * @param read - reads an attribute of the control
 */
export function secretEvidence(
  control: ControlDescription,
  { hasCard, isPayment }: FormContext,
  read: (name: string) => string | null,
): string | undefined {
  const { type, attributes } = control;
  if (!types.test(type)) return undefined;
  const [field = ''] = splitOnAsciiWhitespace((attributes.autocomplete ?? '').toLowerCase()).slice(-1);
  if (!noField.test(field)) return undefined;
  const words = wordsOf(control, read);
  const detail = find(words, cardDetail) ?? find(words, cardCode);
  if (detail && hasCard()) return detail;
  if (type === 'select-one' || type === 'month') return undefined;
  const secret =
    find(words, cardNumber, otherCard) ??
    find(words, cardCode) ??
    find(words, oneTimeCode) ??
    find(words, pin, postal) ??
    find(words, nationalNumber) ??
    find(words, password, aboutPassword);
  if (secret) return secret;
  const account = find(words, iban);
  return account && isPayment() ? account : undefined;
}

/** The last tokens of `autocomplete` values that do not name an autofill field. */
const noField = /^(?:|on|off|nope|none|no|false|true|disabled?|section-.*|shipping|billing|.*[^a-z\d-].*)$/;

type Test = ReturnType<typeof memoizeTest>;

/** The evidence, if a name, ID or label passes the test `matches` and none passes `except`. */
function find({ identifiers, labels }: Words, matches: Test, except?: Test): string | undefined {
  const label = labels.find(matches);
  const identifier = label === undefined ? identifiers.find(matches) : undefined;
  if (label === undefined && identifier === undefined) return undefined;
  if (except && [...identifiers, ...labels].some(except)) return undefined;
  return label === undefined ? `its name is ${preview(identifier ?? '')}` : `its label is ${preview(label)}`;
}

/** Longer labels are ignored: a sentence may mention a password or a code without asking for it. */
const maxLabelWords = 8;

function wordsOf({ name, words }: ControlDescription, read: (name: string) => string | null): Words {
  const labels = words
    .filter(({ source }) => !/^(?:aria-desc|question|section)/.test(source))
    .map(({ text }) => collapseWhitespace(text.slice(0, maxLength)))
    .filter((text) => text.split(' ').length <= maxLabelWords);
  return { identifiers: [name, read('id') ?? ''].map(wordsOfIdentifier), labels };
}

const wordsOfIdentifier = (identifier: string): string =>
  identifier
    .slice(0, maxLength)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .trim();
