import type { Shown } from './masked-text.js';

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

/** The text that a construct translates. It is in the language of the template. */
export function translatedText(source: string, start: number): Shown | undefined {
  for (const call of calls) {
    call.lastIndex = start;
    const [match, quote = '', text = ''] = call.exec(source) ?? [];
    if (match !== undefined && isText(text)) return { at: start + match.indexOf(quote + text + quote) + 1, text };
  }
  return undefined;
}

/** Many programs translate keys, such as "books.search.title". */
const isText = (text: string): boolean => /\s|^\p{Lu}/u.test(text) && !/\w[.:/]\w/.test(text);
