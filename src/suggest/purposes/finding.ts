import { fieldList } from '../words/field-list.js';
import type { FoundText } from '../words/clean-text.js';
import type { Field } from '../page/fields.js';
import { verbNoun } from '../words/names.js';
import { readPhrase, sentenceCase } from '../words/phrase.js';
import { withArticle } from '../words/verbs.js';
import { fact, isEmail, isText, labelsOf, method, others, titleText, type Facts, type Purpose } from './draft.js';

const searchNames =
  /^(?:q|s|query|search|keywords?|kw|wd|term|terms|(?:.{0,12}[_-])?search[_-]?(?:term|query|text|field|box|input|string|word|words|key|keyword|value|phrase)|.*\[(?:q|search|query|keywords?)\]|suche?|suchbegriff|buscar|busca|recherche|ricerca|zoek|cerca|szukaj|hledat|id_q|searchbar)$/i;

const searchLabel = /\b(?:search|find|look up)\b/i;

const foreignSearch =
  /^(?:hier )?(?:suche[n]?(?!\p{L})|recherche|trouver|busca|pesquis|procurar|cerca|ricerca|zoek|szukaj|wyszuk|hled|vyhled|hľad|keres|caut|căut|tra[žz]i|pretra|sök|søg|søk|hae(?!\p{L})|etsi|otsi|ieško|paieška|meklē|ara(?!\p{L})|αναζ|поиск|найти|искать|пошук|шукати|търс|тражи|検索|搜索|搜尋|查询|查找|검색|بحث|جستجو|חיפוש|חפש|ค้นหา|tìm|cari(?!\p{L}))/iu;

const searchRoute = /\b(?:search|suche|recherche|buscar|busqueda|busca|ricerca|zoeken|szukaj|hledani|paieska)\b/;

export const search: Purpose = (facts) => {
  const { fields, button, role } = facts;
  const main = fields.find(({ type, name }) => type === 'search' || searchNames.test(name));
  const field = main ?? fields.find((each) => isText(each));
  if (!field || !isSearch(facts, field, main)) return undefined;
  const object = facts.isEnglish ? searchObject(facts, field) : undefined;
  const isOfSite = facts.area !== 'main' || facts.titles.length === 0;
  const { verb = 'search', text = isOfSite ? 'site' : '' } = object ?? {};
  const more = others(facts).filter((each) => each !== field);
  const isNamed = !main && field.label !== undefined && !searchLabel.test(field.label.text);
  const by =
    more.length > 0 || isNamed
      ? fieldList(
          others(facts).filter(({ label }) => !searchLabel.test(label?.text ?? '')),
          facts.isEnglish,
        ).list
      : '';
  const shown = text === '' ? '' : `${shownObject(verb, text)} `;
  const how = by !== '' ? `by ${by}` : `${shown.startsWith('for ') ? 'with' : 'for'} the given words`;
  const type = main?.type === 'search' ? fact('type', 'search') : fact('name', field.name);
  return {
    words: text === '' ? [verb] : verbNoun(verb, text),
    sentence: `${verb === 'find' ? 'Finds' : 'Searches'} ${shown}${how} and shows the results`,
    title: `${verb === 'find' ? 'Find' : 'Search'} ${shown}`.trim(),
    confidence: 'high',
    origins: [
      role === 'search' ? fact('role', role) : undefined,
      object?.from,
      button,
      field.label,
      type,
      method(facts),
    ],
    reads: true,
  };
};

/** Whether the role, the type or name of a field, the button or a label indicate a search. */
function isSearch(
  { fields, button, role, description, actionWords }: Facts,
  field: Field,
  main: Field | undefined,
): boolean {
  if (fields.some(({ type, control }) => type === 'file' || type === 'textarea' || control.sensitive)) return false;
  if (role === 'search' || main?.type === 'search' || actionWords.at(-1) === 'search') return true;
  const text = button?.text ?? '';
  if (searchLabel.test(text) || foreignSearch.test(text)) return true;
  if (main !== undefined && (description.method === 'get' || searchRoute.test(actionWords.join(' ')))) return true;
  const labels = field.control.words
    .map((each) => each.text)
    .join(' ')
    .slice(0, 300);
  if (fields.length > 2 || fields.some(isEmail)) return false;
  return searchLabel.test(labels) || foreignSearch.test(labels.trim()) || searchRoute.test(actionWords.join(' '));
}

/** An object in a sentence: `for products`, `the site`, `a store`. */
function shownObject(verb: string, noun: string): string {
  if (verb === 'find') return withArticle('book', noun);
  return /[^s]s$/.test(noun) ? `for ${noun}` : withArticle('search', noun);
}

interface SearchObject {
  readonly text: string;
  readonly from: FoundText;
  readonly verb?: 'find';
}

const searchFillers = /^(?:(?:the|our|this|all|for|through|in|by|across|a|an|your|my)(?: |$))+/;

const emptyObject =
  /^(?:|for|in|by|through|small|big|large|example|site|website|web site|here|term|terms|query|keywords?|text|something|anything|field|component|results?|form|button|bar|box|input|now|page|this site|go|q|it|icon|site search|everything|word|words|something here|and hit enter|and press enter|or type a command|by keywords?|by name.*)$/;

/** The object of a search: `articles` for `Search for articles...`. */
function searchObject(facts: Facts, field: Field): SearchObject | undefined {
  const placeholder = field.control.words.find(({ source }) => source === 'placeholder')?.text;
  const texts = [
    ...facts.titles.filter(({ kind }) => kind !== 'heading' || facts.area === 'main'),
    facts.button,
    field.label,
    fact('placeholder', placeholder?.slice(0, 100)),
  ];
  for (const from of texts) {
    const found = from && /^(?:search|find|look up)\b(.*)$/i.exec(sentenceCase(from.text));
    if (!found) continue;
    const [part = ''] = (found[1] ?? '').split(/[,.…:;(&/]| or | and | by | near /);
    const text = part.trim().replace(searchFillers, '').trim();
    if (emptyObject.test(text) || text.split(' ').length > 3) continue;
    return { text, from, ...(/^find/i.test(from.text) && { verb: 'find' }) };
  }
  const heading = facts.area === 'main' ? facts.titles.find(({ kind }) => kind === 'heading') : undefined;
  const phrase = heading && readPhrase(heading.text, false);
  if (
    heading &&
    phrase &&
    phrase.verb === undefined &&
    !phrase.isQuestion &&
    !phrase.isSpeech &&
    /s$/.test(phrase.object) &&
    !/results?|settings|forms?|examples?|elements|frequently/.test(phrase.object) &&
    phrase.object.split(' ').length < 3
  )
    return { text: phrase.object, from: heading };
  return undefined;
}

export const filter: Purpose = (facts) => {
  const { button, description, fields, isEnglish } = facts;
  if (!isEnglish || fields.length === 0 || description.method !== 'get') return undefined;
  const text = `${button?.text ?? ''} ${facts.titles.map((each) => each.text).join(' ')} ${facts.idWords.join(' ')} ${facts.actionWords.join(' ')}`;
  const isByText = /\bfilters?\b|\brefine\b|\bnarrow\b/i.test(text);
  const isSort =
    fields.length === 1 &&
    /^(?:select-one|radio)$/.test(fields[0]?.type ?? '') &&
    /^(?:sort|order|orderby|sort[_-]?by|order[_-]?by|ordering)$/i.test(fields[0]?.name ?? '');
  const isApply =
    facts.hasMethod &&
    /^(?:apply|go|show|(?:apply|confirm) changes|show results|view results|update results?)$/i.test(
      button?.text ?? '',
    ) &&
    fields.every(({ type }) => type !== 'email' && type !== 'textarea' && type !== 'file');
  if (!isByText && !isSort && !isApply) return undefined;
  const own = readPhrase(button?.text ?? '', true);
  const object =
    (own.verb === 'filter' || own.verb === 'refine' ? own.object : '').replace(/^results$/, '') || filterObject(facts);
  const by = fieldList(fields, true).list;
  const sentence = isSort
    ? `Sorts the ${object || 'list'} in the chosen order`
    : `Filters the ${object || 'results'}${by ? ` by ${by}` : ''} and shows those that match`;
  return {
    words: verbNoun(isSort ? 'sort' : 'filter', object || 'results'),
    sentence,
    confidence: object ? 'high' : 'medium',
    origins: [button, ...facts.titles, fact('action', facts.actionWords.join(' ')), ...labelsOf(fields)],
    reads: facts.hasMethod,
  };
};

function filterObject({ titles, page, actionWords }: Facts): string {
  for (const text of [...titles, page.heading].filter((each) => each !== undefined)) {
    const phrase = readPhrase(text.text.replace(/^(?:filter|refine|search|find)(?: by| for)?\b\s*/i, ''), false);
    if (
      /s$/.test(phrase.object) &&
      !/^(?:filters?|results?|options|settings)$/.test(phrase.object) &&
      phrase.object.split(' ').length < 3 &&
      !phrase.isQuestion
    )
      return phrase.object;
  }
  const last = actionWords.at(-1) ?? '';
  return /s$/.test(last) && !/filters?|results/.test(last) ? last : '';
}

export const languageSwitch: Purpose = (facts) => {
  const [field, ...more] = facts.fields;
  const isByField =
    field &&
    more.length === 0 &&
    /^(?:select-one|radio)$/.test(field.type) &&
    /^(?:lang|language|locale|set_language|langue|sprache|idioma)$/.test(field.name.toLowerCase());
  const isByAction = !field && /\b(?:lang|language|locale|i18n|setlang)\b/.test(facts.actionWords.join(' '));
  if (!isByField && !isByAction) return undefined;
  return {
    words: ['switch', 'language'],
    sentence: 'Shows the site in the chosen language',
    title: 'Switch the language',
    confidence: 'high',
    origins: [
      fact('name', field?.name),
      field?.label,
      facts.button,
      isByAction ? fact('action', facts.description.action) : undefined,
    ],
  };
};

export const cookies: Purpose = (facts) => {
  if (!facts.isEnglish || !/\bcookies?\b/.test(facts.words) || facts.fields.some(isText)) return undefined;
  return {
    words: ['set', 'cookie', 'preferences'],
    sentence: 'Saves which cookies the user accepts',
    title: 'Set the cookie preferences',
    confidence: 'high',
    origins: [titleText(facts), facts.button, fact('action', facts.description.action)],
  };
};
