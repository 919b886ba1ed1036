import { collapseWhitespace } from '../../compiler/html/text.js';
import { defineRules } from './rule.js';

/** Rules against annotations that manipulate agents. */
export const agentRules = defineRules({
  'agent-instruction': {
    level: 'warning',
    summary: 'An annotation instructs agents instead of describing the tool.',
    *check({ texts }) {
      for (const { annotation, text, ...where } of texts) {
        const instruction = findInstruction(text);
        if (instruction === undefined) continue;
        const message = `The ${annotation} contains an instruction to agents: "${instruction}". Describe what the tool does instead.`;
        yield { message, ...where };
      }
    },
  },
  'hidden-characters': {
    level: 'error',
    summary: 'An annotation contains invisible characters.',
    *check({ texts }) {
      for (const { annotation, text, ...where } of texts) {
        const hidden = findHiddenCharacter(text);
        if (hidden === undefined) continue;
        const message = `The ${annotation} contains the invisible character ${hidden}, which agents read. Remove it.`;
        yield { message, ...where };
      }
    },
  },
  'url-in-description': {
    level: 'warning',
    summary: 'An annotation contains an address of another site.',
    *check({ texts, form }) {
      const ownUrls = `${form.action ?? ''} ${form.base ?? ''}`.toLowerCase();
      for (const { annotation, text, ...where } of texts) {
        if (where.control !== undefined && form.controls[where.control]?.type === 'url') continue;
        const host = findForeignHost(text, ownUrls);
        if (host === undefined) continue;
        const message = `The ${annotation} contains an address of ${host.slice(0, 80)}, where agents may send data. Remove it.`;
        yield { message, ...where };
      }
    },
  },
});

const candidates =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0\uFE00-\uFE0F\u{E0100}-\u{E01EF}\u2028\u2029\u2800]/u;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The first invisible character that its script does not need, as U+XXXX. */
function findHiddenCharacter(text: string): string | undefined {
  if (!candidates.test(text)) return undefined;
  const isRightToLeft = rightToLeft.test(text);
  const characters = [...withoutFlags(text)];
  const found = characters.find((character, index) => isHiding(character, characters[index - 1] ?? '', isRightToLeft));
  return found && `U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

const withoutFlags = (text: string): string =>
  text.replace(/\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{2,6}\u{E007F}/gu, '');

function isHiding(character: string, before: string, isRightToLeft: boolean): boolean {
  if (!candidates.test(character) || /[\t\n\f\r\u00AD]/.test(character)) return false;
  if (/[\u200C\u200D]/.test(character)) return !/[\p{Emoji}\p{M}\uFE0F]|[^\p{Script=Latin}\P{L}]/u.test(before);
  if (/[\u200E\u200F\u061C\u202A\u202B\u202C\u2066-\u2069\u0600-\u0605\u06DD]/.test(character)) return !isRightToLeft;
  if (/[\uFE00-\uFE0F]/.test(character)) return !/[\p{Emoji}\p{Script=Han}\p{Script=Mongolian}\p{S}]/u.test(before);
  if (/[\u{E0100}-\u{E01EF}]/u.test(character)) return !/\p{Script=Han}/u.test(before);
  return !/\p{Cn}/u.test(character) || /[\u{E0000}-\u{E0FFF}]/u.test(character);
}

const user =
  '(?:the |to the |an? |à l.|al |dem |den |der )?(?:user|person|human|customer|visitor|nutzer|benutzer|kunden|anwender|utilisateur|usuario|cliente)';
const earlier =
  '(?:(?:all|any|every|the|your|of|these|those|other|alle|aller|deine|die|toutes?|les|tus|todas|las)\\s+){0,3}(?:previous|prior|above|earlier|preceding|former|existing|system|safety|vorherigen|bisherigen|vorigen|previas)?\\s*(?:instructions?|prompts?|rules|guidelines|directives|anweisungen|consignes|instrucciones)';
const instructions: readonly RegExp[] = [
  new RegExp(
    `\\b(?:ignore|ignores|disregard|forget|override|bypass|ignoriere|vergiss|missachte|ignorez|oublie|oubliez|ignora|olvida)\\s+${earlier}`,
    'iu',
  ),
  new RegExp(
    `\\b(?:do not|don['’]t|never|must not|should not|without)\\s+(?:ever\\s+)?(?:tell|telling|inform|informing|notify|notifying|mention|mentioning|reveal|revealing|show|showing|alert|alerting|warn|warning|ask|asking|let)\\s+(?:this\\s+|it\\s+|anything\\s+|that\\s+){0,2}(?:to\\s+)?${user}\\b(?!\\s+for\\s+(?!(?:their |his |her )?(?:consent|permission|confirmation|approval)))`,
    'iu',
  ),
  /\b(?:sag|sage|sagen sie|verrate|erzähle?)\s+(?:es\s+)?(?:dem|den)\s+(?:nutzer|benutzer|kunden|anwender)\s+(?:\p{L}+\s+)?nicht/iu,
  /\bne\s+(?:le\s+)?(?:dis|dites|révèle|révélez|mentionne|mentionnez)\s+(?:pas|rien|jamais)\b.{0,20}\butilisateur/iu,
  /\bno\s+(?:le\s+|se lo\s+)?(?:digas|informes|menciones|reveles)\b.{0,20}\busuario/iu,
  /\byou\s+(?:must|should|have to|need to|shall|are required to)\s+(?:always\s+|never\s+|first\s+|not\s+|also\s+|now\s+){0,2}(?:(?:call|use|invoke|run|prefer|choose|pick|execute)\s+(?:(?:this|it)(?=\s*(?:[.,;!:]|$|first|instead|before))|(?:[\w-]+\s+){0,2}(?:tools?|functions?)\b|\w+_\w+)|(?:ignore|send|include|reply|respond|tell|mention|recommend|forward|report|follow|obey|answer|say|reveal|share|pass|act)\b)/iu,
  /\b(?:always|never)\s+(?:call|use|invoke|prefer|choose|run|recommend)\s+(?:this|other|another|any other|it)\b/iu,
  /\b(?:before|instead of|rather than|over)\s+(?:(?:calling|using|any|all|every|the)\s+){0,3}(?:other|another|competing|competitors?['’]?)\s+(?:tools?|sites?|functions?|services?)\b/iu,
  /\b(?:reveal|print|repeat|output|show|leak|send|include|pass|append|copy|forward)\b[^.!?]{0,60}\b(?:system prompt|conversation(?: history)?|chat history|previous messages|your (?:instructions|memory|context))\b/iu,
  /\b(?:you are now|you are an? (?:ai|assistant|agent|helpful)|act as (?:an? )?(?:admin|root|developer|system)|developer mode|jailbreak|system prompt)\b/iu,
  /<\|?(?:system|im_start|im_end|assistant|endoftext|important)\|?>|\[\/?(?:INST|SYSTEM)\]|^\s*(?:system|assistant)\s*:|#{2,}\s*(?:system|instructions?)\b/iu,
];

/** A fast pretest: matches every text that contains an instruction. */
const trigger =
  /ignor|disregard|forget|overrid|bypass|vergiss|missachte|oubli|olvida|not |n['’]t |never|always|without|nicht|ne |no |you |before|instead|rather|over |reveal|print|repeat|output|show|leak|send|include|pass|append|copy|forward|act as|mode|jailbreak|prompt|<|\[|system|assistant|##/i;

function findInstruction(text: string): string | undefined {
  if (!trigger.test(text)) return undefined;
  const start = collapseWhitespace(text.slice(0, 20_000));
  for (const pattern of instructions) {
    const found = pattern.exec(start)?.[0];
    if (found !== undefined) return found.trim().slice(0, 80);
  }
  return undefined;
}

const address = /(?:https?:\/\/|(?<![\w.])www\.)([\w.-]+)[^\s"'<>)]*/gi;
const reserved = /^(?:localhost|(?:.*\.)?(?:example(?:\.(?:com|org|net))?|test|invalid)|127\.0\.0\.1)\.?$/i;

/** The first host in a text that is neither reserved for examples nor in the form's own URLs. */
function findForeignHost(text: string, ownUrls: string): string | undefined {
  for (const [, host = ''] of text.slice(0, 20_000).matchAll(address))
    if (!reserved.test(host) && !ownUrls.includes(`//${host.toLowerCase()}`)) return host;
  return undefined;
}
