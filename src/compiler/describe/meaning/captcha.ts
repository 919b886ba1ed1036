import type { ControlDescription, FormDescription } from '../../description.js';
import { memoizeTest } from '../../../lazy.js';
import { collapseWhitespace } from '../../html/text.js';
import { isIgnored } from '../../ignored.js';
import type { Budget } from '../../limits.js';
import { preview } from '../../preview.js';
import { descendants, type Tree } from '../../tree.js';

const types = /^(?:text|search|tel|number|textarea)$/;

const captchaName =
  /captcha|cptch|turnstile|securimage|human_?verif|magic_?word|image_?security|verify_?num|(?:^|[^a-z])(?:v(?:er(?:if(?:y|ication)?)?)?_?code_?(?:img|image)|(?:img|image|check|valid(?:ate|ation)?|rand|auth)_?code|seccode(?:verify)?|yzm|spam_?(?:answer|question|quiz)|math_?(?:answer|question|quiz)|(?:ru|are_?you|is)_?human|human_?(?:check|test|verification)|anti_?bot)(?:$|[^a-z])/i;

/** Labels of captchas, in many languages. */
const isCaptchaLabel = memoizeTest(
  new RegExp(
    [
      'captcha',
      String.raw`\d\s*[+*×x−–-]\s*\d*\s*[=?]|\d\s*(?:[+*×]|plus|minus|mal|times)\s*\d`,
      String.raw`\bwhat(?:'?s| is| does) .{0,20}(?:\d|one|two|three|four|five|six|seven|eight|nine|ten) ?(?:[+x*-]|plus|minus|times|and)`,
      String.raw`\b(?:characters?|letters?|digits?|numbers?|text|words?|codes?|symbols?)\b.{0,40}\b(?:image|picture|you see|shown|above|below|displayed)`,
      String.raw`\b(?:image|picture|visual|anti-?spam|spam) (?:code|text|verification|check|question|protection)`,
      String.raw`\b(?:prove|verify|confirm|check|sure) .{0,20}\b(?:human|not a (?:ro)?bot|a person)|\bnot a robot`,
      String.raw`\b(?:zeichen|buchstaben|zahlen|code|text)\b.{0,40}\b(?:bild|grafik)|spam-?schutz|sicherheits(?:frage|abfrage|[uü]berpr[uü]fung)|rechenaufgabe`,
      String.raw`\b(?:caract[eè]res|code|lettres|chiffres|texte)\b.{0,40}\b(?:image|ci-dess|visuel)|\banti-?spam|recopi|\bcopi(?:e[rz]?|a|ar) (?:el|le|il|o) c[oó]d`,
      String.raw`\b(?:caracteres|c[oó]digo|letras|texto|n[uú]meros)\b.{0,40}\b(?:imag[e]n|aparece|ves)`,
      String.raw`\b(?:caratteri|codice|lettere|testo)\b.{0,40}\b(?:immagine|vedi)|\b(?:letras|caracteres|c[oó]digo)\b.{0,40}imagem`,
      String.raw`(?:код|символ|цифр|букв|число|текст)\S*.{0,40}(?:картин|изображ|рисун)|провероч\S+ (?:код|слово|число)|защитн\S+ код|код (?:проверки|безопасности)|введите (?:эт\S+ )?(?:код|символы|слово|цифры|текст$)|не робот`,
      String.raw`\b(?:kod|znaki|tekst|litery)\b.{0,40}\bobraz|przepisz`,
      String.raw`\b(?:tekens|letters|cijfers|code)\b.{0,40}\b(?:afbeelding|plaatje)|\b(?:k[oó]d|znaky|znak[y]?|text)\b.{0,40}\bobr[aá]z|opi[sš]te`,
      String.raw`resimdeki|g[uü]venlik kodu|m[aã] (?:x[aá]c nh[aậ]n|b[aả]o (?:v[eệ]|m[aậ]t)|captcha)`,
      '验证码|驗證碼|校验码|画像認証|画像の文字|보안\\s?문자|자동\\s?(?:등록|가입)\\s?방지',
    ].join('|'),
    'iu',
  ),
);

/** Labels that can mean a captcha, the code of a card, or the code of a second factor. */
const ambiguousLabel =
  /^(?:enter |type )?(?:the |your )?(?:security|verification|confirmation|validation|access) (?:code|number|image|text)\W*$|^(?:sicherheits|best[aä]tigungs|pr[uü]f)code\W*$|^code de (?:s[eé]curit[eé]|v[eé]rification)\W*$|^c[oó]digo de (?:seguridad|verificaci[oó]n|seguran[cç]a)\W*$|^codice di (?:sicurezza|verifica|controllo)\W*$/iu;
const ambiguousName = /^(?:v?code|security_?code|verif\w*|sec_?code|keystring)$/i;

const maxLength = 500;

/**
 * The reason why a control asks for the answer to a captcha; undefined if it does not.
 *
 * @param hasCard - whether the form asks for a payment card, which has a security code too
 */
export function captchaEvidence(
  { type, name, words, attributes }: ControlDescription,
  hasCard: () => boolean,
): string | undefined {
  if (!types.test(type)) return undefined;
  if (captchaName.test(name.slice(0, maxLength))) return `its name is ${preview(name)}`;
  const texts = words.map(({ text }) => collapseWhitespace(text.slice(0, maxLength)));
  const label = texts.find(isCaptchaLabel);
  if (label) return `its label is ${preview(label)}`;
  const isShort = Number(attributes.maxlength ?? attributes.size ?? 0) > 4 || ambiguousName.test(name);
  const ambiguous = isShort ? texts.find((text) => ambiguousLabel.test(text)) : undefined;
  return ambiguous && !hasCard() ? `its label is ${preview(ambiguous)}` : undefined;
}

const captchaClass = /(?:^|\s)(?:g-recaptcha|h-captcha|cf-turnstile|frc-captcha|mtcaptcha|smart-captcha)(?=\s|$)/;
const nodeCost = 20;

interface CaptchaSearch<Element> {
  readonly form: Element;
  /** The form, or an element around its controls. */
  readonly root: Element;
  readonly budget: Budget;
}

/** The captcha in a form: `visible` if it waits for a person, `invisible` if it checks the visitor without a question. */
export function captchaOf<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  { form, root, budget }: CaptchaSearch<Element>,
): FormDescription['captcha'] {
  const isSkipped = (node: Node): boolean => {
    if (!tree.isElement(node)) return false;
    const name = tree.localName(node);
    return (name === 'form' && node !== form) || name === 'select' || isIgnored(tree, node);
  };
  let captcha: FormDescription['captcha'];
  for (const node of descendants(tree, root, isSkipped)) {
    if (!budget.spend(nodeCost)) break;
    if (!tree.isElement(node) || !captchaClass.test((tree.attribute(node, 'class') ?? '').slice(0, maxLength)))
      continue;
    if (tree.attribute(node, 'data-size') !== 'invisible' && tree.localName(node) !== 'button') return 'visible';
    captcha = 'invisible';
  }
  return captcha;
}
