import { blankTexts, blocksOf, translatedText, type CodeLanguage } from './code-blocks.js';
import { Finder, MaskBuilder, type Block, type MaskedText, type Shown } from './masked-text.js';
import { hidePhp } from './php.js';

export interface TemplateSyntax {
  /** `{{ }}` and `{{{ }}}`: Handlebars, Mustache, Go, and the values of Jinja, Django, Twig, Liquid, Blade, Vue and Angular. */
  readonly mustaches?: true;
  /** `{% %}` and `{# #}`: Jinja, Django, Twig, Liquid. */
  readonly tags?: true;
  /** The language in `<% %>`: ERB, EJS, JSP. */
  readonly angles?: CodeLanguage;
  /** `<?php ?>` and `<?= ?>`; `short` also enables `<? ?>`. */
  readonly php?: 'long' | 'short';
  /** `@directive(...)` and `{!! !!}`. */
  readonly blade?: true;
}

interface MaskRange {
  readonly builder?: MaskBuilder;
  readonly start?: number;
  readonly end?: number;
}

/** Masks the constructs of templates whose markup is HTML. */
export function maskTemplate(
  source: string,
  syntax: TemplateSyntax,
  { builder = new MaskBuilder(source), start = 0, end = source.length }: MaskRange = {},
): MaskedText {
  const openers = openersOf(syntax);
  const finder = new Finder(source);
  if (openers) openers.lastIndex = start;
  for (let match = openers?.exec(source); openers && match && match.index < end; match = openers.exec(source))
    openers.lastIndex = hideConstruct(builder, finder, syntax, match);
  return builder.finish();
}

function openersOf({ mustaches, tags, angles, php, blade }: TemplateSyntax): RegExp | undefined {
  const parts = [
    mustaches && '\\{\\{',
    tags && '\\{[%#]',
    blade && '\\{!!|(?<![\\w@])@[a-zA-Z]+',
    angles && '<%(?!%)',
    php && (php === 'short' ? '<\\?(?!xml)' : '<\\?(?:php\\b|=)'),
  ].filter((part) => part !== undefined);
  return parts.length > 0 ? new RegExp(parts.join('|'), 'gi') : undefined;
}

/** The maximum length of a construct, except comments. */
const maxLength = 5000;

/** Returns the offset where the search for the next construct begins. */
function hideConstruct(
  builder: MaskBuilder,
  finder: Finder,
  syntax: TemplateSyntax,
  { 0: opener, index }: RegExpExecArray,
): number {
  if (opener.startsWith('<?')) return hidePhp(builder, index);
  if (opener.startsWith('@')) return hideDirective(builder, finder, index, opener);
  const { source } = builder;
  const [close, isComment] = closerOf(source, index);
  const end = finder.after(close, index + 2);
  const body = end < 0 ? '' : source.slice(index + 2, end - close.length);
  // A script of the page may contain "{{" without being a template.
  if (end < 0 || (!isComment && (body.length > maxLength || /<\/(?:script|style)/i.test(body)))) return index + 2;
  const after = opener === '{%' ? endOfOpaqueBlock(source, finder, body, end) : undefined;
  const blocks = isComment || after ? [] : blocksOfConstruct(opener, body, syntax);
  const shown = after ? after.shown : isComment ? undefined : translatedText(source, index);
  builder.hide(index, after?.end ?? end, blocks, shown);
  if (!isComment && !after?.isComment) builder.findCodeForms(index, after?.end ?? end);
  return after?.end ?? end;
}

function closerOf(source: string, at: number): readonly [close: string, isComment: boolean] {
  const found = closers.find(([opener]) => source.startsWith(opener, at));
  return found ? [found[1], found[2] === 'comment'] : ['}}', false];
}

/** The delimiters, longer openers first. */
const closers: readonly (readonly [opener: string, closer: string, content?: 'comment'])[] = [
  ['{{!--', '--}}', 'comment'],
  ['{{!', '}}', 'comment'],
  ['{{--', '--}}', 'comment'],
  ['{{{', '}}}'],
  ['{{', '}}'],
  ['{!!', '!!}'],
  ['{%', '%}'],
  ['{#', '#}', 'comment'],
  ['<%--', '--%>', 'comment'],
  ['<%#', '%>', 'comment'],
  ['<%', '%>'],
];

/** Tags whose content is not parsed as markup: comments, code and translatable strings. */
const opaque =
  /^[-+~]?\s*(comment|schema|javascript|stylesheet|style|blocktrans|blocktranslate|trans|translate)\b(.*)/s;

interface OpaqueBlock {
  readonly end: number;
  readonly isComment: boolean;
  readonly shown?: Shown | undefined;
}

function endOfOpaqueBlock(source: string, finder: Finder, body: string, from: number): OpaqueBlock | undefined {
  const [, name = '', rest = ''] = opaque.exec(body) ?? [];
  // In Django, the tag itself contains the string, and has no end tag.
  if (name === '' || ((name === 'trans' || name === 'translate') && /["']/.test(rest))) return undefined;
  if (finder.after(`end${name}`, from) < 0) return undefined;
  const close = new RegExp(`\\{%[-+~]?\\s*end${name}\\b[^%]*%\\}`, 'g');
  close.lastIndex = from;
  const match = close.exec(source);
  if (!match) return undefined;
  const text = source.slice(from, match.index);
  const isShown = name.includes('trans') && /^[^<>{}"'&]+$/.test(text);
  return { end: close.lastIndex, isComment: !name.includes('trans'), ...(isShown && { shown: { at: from, text } }) };
}

function blocksOfConstruct(opener: string, body: string, { angles }: TemplateSyntax): readonly Block[] {
  if (opener === '{{') return mustacheBlocks(body);
  if (opener === '{%') return tagBlocks(body);
  if (opener === '<%' && angles) return blocksOf(blankTexts(body.replace(/^[-_=]+|[-_]$/g, ''), angles), angles);
  return [];
}

const loopHelpers = /^(?:each|foreach|list|repeat|times|for|loop|collection)$/i;

/** The blocks of Handlebars, Mustache and Go. */
function mustacheBlocks(body: string): readonly Block[] {
  const [, sign, name, rest = ''] = /^[{~-]?\s*([#/^]?)\s*([\w.@-]*)(.*)/s.exec(body) ?? [];
  if (name === undefined) return [];
  if (sign === '/') return [{ closes: name }];
  if (sign === '^') return name === '' ? [] : [{ opens: name }];
  // A section of Mustache without arguments repeats its content for each item of a list.
  if (sign === '#') return [{ opens: name, isLoop: loopHelpers.test(name) || /^[}~\s]*$/.test(rest) }];
  if (name === 'end') return [{ closes: '' }];
  if (name === 'range' && /^\s+[^(\s]/.test(rest)) return [{ opens: '', isLoop: true }];
  return /^(?:if|with|block|define)$/.test(name) && /^\s+[^\s|]/.test(rest) ? [{ opens: '' }] : [];
}

const tagsWithEnd =
  /^(?:for|tablerow|if|ifchanged|ifequal|ifnotequal|unless|case|with|block|autoescape|spaceless|filter|macro|call|raw|verbatim|form|embed|apply)$/;

/** The blocks of Jinja, Django, Twig and Liquid. */
function tagBlocks(body: string): readonly Block[] {
  const name = /^[-+~]?\s*(\w+)/.exec(body)?.[1] ?? '';
  if (name.startsWith('end')) return [{ closes: name.slice(3) }];
  return tagsWithEnd.test(name) ? [{ opens: name, isLoop: name === 'for' || name === 'tablerow' }] : [];
}

/** https://laravel.com/docs/blade#blade-directives */
function hideDirective(builder: MaskBuilder, finder: Finder, start: number, opener: string): number {
  const { source } = builder;
  const name = opener.slice(1);
  const code =
    name === 'php' && !/^\s*\(/.test(source.slice(start + 4, start + 20)) ? finder.after('@endphp', start) : -1;
  const end = code > 0 ? code : afterArguments(source, start + opener.length);
  builder.hide(start, end, directiveBlocks(name));
  builder.findCodeForms(start, end);
  return end;
}

function directiveBlocks(name: string): readonly Block[] {
  if (name.startsWith('end')) return [{ closes: name.slice(3) }];
  const isLoop = /^(?:for|foreach|forelse|while|each)$/.test(name);
  return isLoop || /^(?:if|unless|isset|empty|auth|guest|switch|can|cannot|error|production|env)$/.test(name)
    ? [{ opens: name, isLoop }]
    : [];
}

/** The offset after arguments in parentheses, with at most one space before them; `from` without arguments. */
function afterArguments(source: string, from: number): number {
  const start = source.charAt(from) === ' ' ? from + 1 : from;
  if (source.charAt(start) !== '(') return from;
  const marks = /[()'"]/g;
  marks.lastIndex = start;
  let depth = 0;
  for (let match = marks.exec(source); match && match.index < start + maxLength; match = marks.exec(source)) {
    if (match[0] === '(') depth++;
    else if (match[0] === ')' && --depth === 0) return marks.lastIndex;
    else if (match[0] !== ')') marks.lastIndex = endOfQuoted(source, match[0], match.index);
  }
  return from;
}

function endOfQuoted(source: string, quote: string, start: number): number {
  for (let at = start + 1; at < source.length && source.charAt(at) !== '\n'; at++) {
    if (source.charAt(at) === '\\') at++;
    else if (source.charAt(at) === quote) return at + 1;
  }
  return start + 1;
}
