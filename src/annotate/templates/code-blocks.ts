import type { Block, Shown } from './masked-text.js';

export type CodeLanguage = 'braces' | 'ruby';

/** The blocks that a piece of code begins and ends. Strings and comments in the code must be blank. */
export const blocksOf = (code: string, language: CodeLanguage): readonly Block[] =>
  language === 'ruby' ? rubyBlocks(code) : braceBlocks(code);

const statements = /\b(foreach|for|while|if|switch)\b|\bend(foreach|for|while|if|switch)\b|[{}]/g;
const callback = /(?:\b(?:forEach|map|flatMap|each|array_map|array_walk)\s*\([^{}]*|\bdo\s*)$/;

/** The blocks of JavaScript, Java and PHP, including the alternative syntax of PHP. */
function braceBlocks(code: string): readonly Block[] {
  const blocks: Block[] = [];
  const loops = new Set<number>();
  for (const { 0: token, 1: begin, 2: end, index } of code.matchAll(statements)) {
    const isLoop = begin !== undefined && begin !== 'if' && begin !== 'switch';
    if (begin !== undefined) {
      const after = afterCondition(code, index + token.length);
      if (code.charAt(after) === ':') blocks.push({ opens: begin, isLoop });
      else if (isLoop) loops.add(after);
    } else if (end !== undefined) blocks.push({ closes: end });
    else if (token === '}') blocks.push({ closes: '{' });
    else
      blocks.push({
        opens: '{',
        isLoop: loops.has(index) || callback.test(code.slice(Math.max(0, index - 200), index)),
      });
  }
  return blocks;
}

/** The maximum length of a condition. */
const maxCondition = 5000;

/** The offset after a condition in parentheses and white space; -1 without a condition. */
function afterCondition(code: string, from: number): number {
  let at = skipSpace(code, from);
  if (code.charAt(at) !== '(') return -1;
  const end = Math.min(code.length, at + maxCondition);
  for (let depth = 0; at < end; at++) {
    if (code.charAt(at) === '(') depth++;
    else if (code.charAt(at) === ')' && --depth === 0) return skipSpace(code, at + 1);
  }
  return -1;
}

function skipSpace(code: string, from: number): number {
  let at = from;
  while (/\s/.test(code.charAt(at))) at++;
  return at;
}

const rubyLoop = /^(?:for|while|until)\b|\.(?:each\w*|times|map|flat_map|collect|upto|downto|step|find_each)\b/;

/** The blocks of Ruby and Elixir. */
function rubyBlocks(code: string): readonly Block[] {
  return code.split(/[\n;]/).flatMap((line): Block | readonly Block[] => {
    const statement = line.trim();
    const isLoop = rubyLoop.test(statement);
    if (/^end\b/.test(statement)) return { closes: '' };
    if (statement.startsWith('}')) return { closes: '{' };
    if (/^(?:if|unless|case|begin|for|while|until|cond)\b/.test(statement)) return { opens: '', isLoop };
    if (/\bdo(?:\s*\|[^|]*\|)?$|(?:->|\bfn\b.*->)$/.test(statement)) return { opens: '', isLoop };
    return /\{(?:\s*\|[^|]*\|)?$/.test(statement) ? { opens: '{', isLoop } : [];
  });
}

/** Replaces strings and comments by spaces. */
export function blankTexts(code: string, language: CodeLanguage): string {
  const starts = language === 'ruby' ? /['"`]|#(?!\{)/g : /['"`]|\/\/|\/\*/g;
  let blank = '';
  let end = 0;
  for (let match = starts.exec(code); match; match = starts.exec(code)) {
    const after = endOfText(code, match[0], match.index);
    blank += code.slice(end, match.index) + ' '.repeat(after - match.index);
    starts.lastIndex = end = after;
  }
  return blank + code.slice(end);
}

/** The end of a string or a comment; the end of the code if it is not closed. */
function endOfText(code: string, mark: string, start: number): number {
  if (mark === '/*') return endAt(code, code.indexOf('*/', start + 2), 2);
  if (mark === '//' || mark === '#') return endAt(code, code.indexOf('\n', start), 0);
  return endOfString(code, mark, start);
}

const endAt = (code: string, at: number, length: number): number => (at < 0 ? code.length : at + length);

/** The offset after the closing quotation mark. A backslash escapes the character after it. */
export function endOfString(code: string, quote: string, start: number): number {
  for (let at = start + 1; at < code.length; at++) {
    if (code.charAt(at) === '\\') at++;
    else if (code.charAt(at) === quote) return at + 1;
  }
  return code.length;
}

const literal = String.raw`(["'])([^\\<>&{}"'$%]+)\1`;
const wordpress = '(?:esc_html|esc_attr)?_[_ex]|esc_(?:html|attr)_[_ex]';

/** Calls that translate a string: Django, Jinja, Twig, gettext, WordPress, Laravel. */
const calls = [
  String.raw`\{%[-+~]?\s*(?:trans|translate)\s+${literal}`,
  String.raw`\{\{[-~]?\s*(?:_|__|gettext|trans|t|\$t)\(\s*${literal}\s*[,)]`,
  String.raw`\{\{[-~]?\s*${literal}\s*\|\s*(?:trans|translate|t)\b`,
  String.raw`<\?(?:php\s+|=\s*|\s+)(?:echo\s+)?(?:${wordpress}|_|gettext|t|trans|lang)\(\s*${literal}\s*[,)]`,
  String.raw`<%=\s*(?:_|gettext|t)[( ]\s*${literal}`,
].map((source) => new RegExp(source, 'y'));

/** The text that a construct translates, in the language of the template. */
export function translatedText(source: string, start: number): Shown | undefined {
  for (const call of calls) {
    call.lastIndex = start;
    const [match, quote = '', text = ''] = call.exec(source) ?? [];
    if (match !== undefined && isText(text)) return { at: start + match.indexOf(quote + text + quote) + 1, text };
  }
  return undefined;
}

/** Whether a string is text. Many programs translate keys instead, such as "books.search.title". */
const isText = (text: string): boolean => /\s|^\p{Lu}/u.test(text) && !/\w[.:/]\w/.test(text);
