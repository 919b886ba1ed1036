import { collapseWhitespace } from '../compiler/html/text.js';

const user =
  '(?:the |to the |an? |à l.|al |dem |den |der )?(?:user|person|human|customer|visitor|nutzer|benutzer|kunden|anwender|utilisateur|usuario|cliente)';
const previous = 'previous|prior|above|earlier|preceding|vorherigen|bisherigen|vorigen|previas';
/** Words that also describe the rules of a site. */
const own = 'former|existing|system|safety';
const rules = 'instructions?|prompts?|rules|guidelines|directives|anweisungen|consignes|instrucciones';
const all = '(?:all|any|every|the|your|of|these|those|other|alle|aller|deine|die|toutes?|les|tus|todas|las)';
const ignore =
  '\\b(?:ignore|disregard|forget|override|bypass|ignoriere|vergiss|missachte|ignorez|oublie|oubliez|ignora|olvida)';
const machine =
  '(?:ai|llms?|language models?|chat ?bots?|large language models?|ki)(?: (?:assistants?|agents?|models?|systems?))?';

/** Nouns after "AI" that denote people. */
const trades =
  '(?:compan|develop|research|provid|vendor|expert|engineer|start-?up|team|user|customer|business|firm|artist)';

/** Phrases that are never meant for people, because they address a machine or imitate a prompt. */
const injections: readonly RegExp[] = [
  new RegExp(`${ignore}\\s+(?:${all}\\s+){0,4}(?:${previous})\\s+(?:${rules}|context)\\b`, 'iu'),
  new RegExp(`${ignore}\\s+(?:${all}\\s+){0,4}(?:${own})\\s+(?:instructions?|prompts?|guidelines|directives)\\b`, 'iu'),
  new RegExp(
    `${ignore}\\s+(?:all|any|alle|toutes|todas)\\s+(?:${all}\\s+){0,3}(?:instructions|anweisungen|consignes|instrucciones)\\b(?! (?:of|from|by|in|on)\\b)`,
    'iu',
  ),
  /\b(?:ignore|disregard|forget)\s+(?:everything|all(?: of)?(?: that)?)\s+(?:above|before|you (?:were|have been) told)\b(?! (?:(?:this|that|the|a) (?:date|day|time|year|value|line|row|limit|price)\b|\d))/iu,
  /\b(?:ignorez|oubliez|oublie)\s+(?:toutes\s+)?(?:les\s+)?(?:instructions|consignes)\s+précédentes/iu,
  /\bignor[ae]\w*\s+(?:todas\s+|tutte\s+)?(?:as\s+|le\s+|las\s+)?(?:instruções|istruzioni|instrucciones)\s+(?:anteriores|precedenti|previas)/iu,
  /\bnegeer\s+(?:alle\s+)?(?:de\s+)?(?:vorige|eerdere|bovenstaande)\s+(?:instructies|opdrachten)/iu,
  /\bzignoruj\s+(?:wszystkie\s+)?(?:poprzednie|powyższe)\s+(?:instrukcje|polecenia)/iu,
  /(?<!\p{L})önceki\s+(?:tüm\s+)?(?:talimatları|komutları)\s+(?:yok\s+say|unut|görmezden)/iu,
  /(?<!\p{L})(?:игнорируй|забудь|не обращай внимания на)(?:те)?\s+(?:(?:все|всё|на)\s+)?(?:предыдущие|прошлые|прежние)\s+(?:инструкции|указания|команды)/iu,
  /(?:忽略|无视|無視|忘记|忘記)(?:掉)?(?:所有|一切|全部)?(?:之前|以前|先前|前面|以上|上述|此前).{0,8}(?:指令|指示|说明|說明|提示|命令|规则|規則)/u,
  /(?:以前|これまで|上記|前|すべて|全て)の?.{0,8}(?:指示|命令|プロンプト).{0,4}(?:無視|忘れ)/u,
  /(?:이전|위의|앞의|모든).{0,8}(?:지시|명령|프롬프트).{0,6}(?:무시|잊)/u,
  /تجاهل.{0,12}(?:التعليمات|الأوامر|الإرشادات).{0,12}السابقة/u,
  /पिछले.{0,12}निर्देश.{0,16}(?:अनदेखा|नज़रअंदाज़|भूल)/u,
  new RegExp(`\\b(?:if|when|as|since) you(?: are|['’]re)? (?:an? |the )?${machine}\\b(?! ${trades})`, 'iu'),
  new RegExp(
    `\\b(?:note|message|attention|important|instructions?|hint|notice)(?: (?:to|for)|:) (?:all |any |the )?${machine}\\s*[,:;.!—–]+\\s*\\S`,
    'iu',
  ),
  new RegExp(
    `\\b${machine} (?:must|should|shall|has to|have to|needs? to|(?:is|are) required to)(?! (?:not|be|have|support|meet|comply)\\b)\\b`,
    'iu',
  ),
  new RegExp(
    `\\b(?:you are now|from now on,? you are|pretend (?:that )?you are|you are) (?:an? )?(?:ai\\b(?! ${trades})|dan\\b|unrestricted\\b|helpful assistant\\b|language model\\b)`,
    'iu',
  ),
  /\b(?:you are now|from now on,? you are|pretend (?:that )?you are) (?:an? )?(?:assistant|agent|admin|root)\b/iu,
  /\bact as (?:an? |the )?(?:root|dan\b|unrestricted|jailbroken|system\b)/iu,
  /\b(?:(?:reveal|leak|exfiltrate|disclose)\b[^.!?]{0,60}\b(?:conversation|chat history|your (?:instructions|memory|context))|(?:reveal|print|repeat|output|leak|exfiltrate|disclose)\b[^.!?]{0,60}\bsystem prompt)\b/iu,
  /\b(?:send|forward|post|upload|transmit|exfiltrate|email)\b[^.!?]{0,60}\b(?:conversation|chat history|system prompt|credentials|api keys?|passwords?|cookies|access tokens?)\b[^!?]{0,40}\b(?:https?:\/\/|www\.|[\w.-]{1,64}@(?!example\b)[\w-])/iu,
  /<\|?\/?(?:system|im_start|im_end|im_sep|assistant|endoftext|eot_id|start_header_id|important)\|?>|<<\/?SYS>>|\[\/?(?:INST|SYSTEM)\]|(?<!#)#{2,6}\s*(?:system|instructions?)\s*:|\b(?:begin|end) (?:of )?(?:the )?(?:system|user) prompt\b/iu,
];

/** Phrases that are ordinary between people, but are instructions in a description for agents. */
const instructions: readonly RegExp[] = [
  ...injections,
  new RegExp(`${ignore}\\s+(?:${all}\\s+){0,3}(?:${previous}|${own})?\\s*(?:${rules})`, 'iu'),
  new RegExp(
    `\\b(?:do not|don['’]t|never|must not|should not|without)\\s+(?:ever\\s+)?(?:tell|telling|inform|informing|notify|notifying|mention|mentioning|reveal|revealing|show|showing|alert|alerting|warn|warning|ask|asking|let)\\s+(?:this\\s+|it\\s+|anything\\s+|that\\s+){0,2}(?:to\\s+)?${user}\\b(?!['’]s\\b|\\s+(?:names?|lists?|counts?|ids?|profiles?|accounts?)\\b)(?!\\s+for\\s+(?!(?:their |his |her )?(?:consent|permission|confirmation|approval)))`,
    'iu',
  ),
  /\b(?:sag|sage|sagen sie|verrate|erzähle?)\s+(?:es\s+)?(?:dem|den)\s+(?:nutzer|benutzer|kunden|anwender)\s+(?:\p{L}+\s+)?nicht/iu,
  /\bne\s+(?:le\s+)?(?:dis|dites|révèle|révélez|mentionne|mentionnez)\s+(?:pas|rien|jamais)\b.{0,20}\butilisateur/iu,
  /\bno\s+(?:le\s+|se lo\s+)?(?:digas|informes|menciones|reveles)\b.{0,20}\busuario/iu,
  /\byou\s+(?:must|should|have to|need to|shall|are required to)\s+(?:always\s+|never\s+|first\s+|not\s+|also\s+|now\s+){0,2}(?:(?:call|use|invoke|run|prefer|choose|pick|execute)\s+(?:(?:this|it)(?=\s*(?:[.,;!:]|$|first|instead|before))|(?:[\w-]{1,40}\s+){0,2}(?:tools?|functions?)\b|\w{1,60}_\w+)|(?:ignore|send|include|reply|respond|tell|mention|recommend|forward|report|follow|obey|answer|say|reveal|share|pass|act)\b)/iu,
  /\bdu\s+(?:musst|sollst)\s+(?:immer\s+|zuerst\s+|stets\s+)?(?:dieses|diese)\s+(?:werkzeug|tool|funktion)\b/iu,
  /\b(?:always\s+(?:call|use|invoke|prefer|choose|run|recommend)\s+(?:this|it)\b(?! with\b)|never\s+(?:call|use|invoke|prefer|choose|run|recommend)\s+(?:other|another|any other)\s+(?:tools?|functions?|actions?|services?|sites?)\b)/iu,
  /\b(?:before|instead of|rather than|prefer\b[^.!?]{0,40}\bover)\s+(?:(?:calling|using|any|all|every|the)\s+){0,3}(?:other|another|competing|competitors?['’]?)\s+(?:tools?|sites?|functions?|services?)\b/iu,
  /\b(?:show|send|include|pass|append|copy|forward|print|repeat|output)\b[^.!?]{0,60}\b(?:system prompt|conversation(?: history)?|chat history|previous messages|your (?:instructions|memory|context))\b/iu,
  /\b(?:you are now|you are an? helpful|act as (?:an? )?(?:admin|developer)|(?:enter|activate) developer mode|jailbreak)\b/iu,
  /^\s*(?:system|assistant)\s*:|(?<!#)#{2,6}\s*(?:system|instructions?)\b/iu,
];

/** A fast pretest: matches every text that contains an instruction. */
const trigger =
  /ignor|disregard|forget|overrid|bypass|vergiss|missachte|oubli|olvida|not |n['’]t |never|always|without|nicht|ne |no |you |du |before|instead|rather|over |reveal|print|repeat|output|show|leak|disclose|exfiltrat|send|post |upload|transmit|email|include|pass|append|copy|forward|act as|mode|jailbreak|prompt|<|\[|system|assistant|##|\bai |\bllm|\bki |chat ?bot|\bai\b|negeer|önceki|[^\u0000-\u00ac\u00ae-\u024f\u2010-\u2027\u2030-\u205e]/i;

/** The length of the parts in which a text is searched. They overlap by more than the longest phrase. */
const partLength = 10_000;
const overlap = 500;

/** The readers of a string. A string that people read on the page may contain instructions to people. */
export type Audience = 'agents' | 'people';

/** The first instruction to agents in a string, as a short quotation. */
export function findInstruction(text: string, audience: Audience): string | undefined {
  const patterns = audience === 'agents' ? instructions : injections;
  for (let start = 0; start === 0 || start + overlap < text.length; start += partLength - overlap) {
    const found = findInPart(text.slice(start, start + partLength), patterns);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInPart(part: string, patterns: readonly RegExp[]): string | undefined {
  if (!trigger.test(part)) return undefined;
  const plain = collapseWhitespace(part.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
  for (const pattern of patterns) {
    const found = pattern.exec(plain)?.[0];
    if (found !== undefined) return found.trim().slice(0, 80);
  }
  return undefined;
}
