import { tokenizer, tokTypes } from 'acorn';
import { withHtmlTags } from './components.js';
import { options, withTemplateErrors } from './jsx/parse-jsx.js';
import { MaskBuilder, TemplateError, type Block, type MaskedText } from './masked-text.js';

/** Masks the expressions of a component of Svelte. */
export function maskSvelte(source: string): MaskedText {
  const builder = new MaskBuilder(source);
  const marks = /\{|<!--|<(script|style)\b/gi;
  for (let match = marks.exec(source); match; match = marks.exec(source)) {
    const end = match[0] === '{' ? afterExpression(source, match.index) : afterRaw(source, match.index, match[1]);
    if (end < 0) break;
    if (match[0] === '{') builder.hide(match.index, end, svelteBlocks(source.slice(match.index + 1, end - 1)));
    if (match[0] === '{') builder.findCodeForms(match.index, end);
    marks.lastIndex = end;
  }
  return withHtmlTags(builder.finish());
}

/** The offset after an expression. Skips `{/if}` and the signs `#`, `:` and `@`, which are not code. */
function afterExpression(source: string, start: number): number {
  const begin = /\{\s*(?:\/\s*\w+\s*\}|[#:@]?)/y;
  begin.lastIndex = start;
  const [text = ''] = begin.exec(source) ?? [];
  const end = start + text.length;
  return text.endsWith('}') ? end : withTemplateErrors(() => afterBrace(source, end), end);
}

/** The offset after the first unmatched closing brace from `start`. */
function afterBrace(source: string, start: number): number {
  let depth = 1;
  for (const { type, end } of tokenizer(source.slice(start), options)) {
    if (type === tokTypes.braceL || type === tokTypes.dollarBraceL) depth++;
    else if (type === tokTypes.braceR && --depth === 0) return start + end;
  }
  throw new TemplateError('a brace is not closed', start);
}

function afterRaw(source: string, at: number, name: string | undefined): number {
  const close = name === undefined ? '-->' : `</${name}`;
  const end = source.toLowerCase().indexOf(close.toLowerCase(), at);
  return end < 0 ? -1 : end + close.length;
}

function svelteBlocks(code: string): readonly Block[] {
  const [, sign, name] = /^\s*([#/])(\w+)/.exec(code) ?? [];
  if (name === undefined) return [];
  return sign === '/' ? [{ closes: name }] : [{ opens: name, isLoop: name === 'each' }];
}
