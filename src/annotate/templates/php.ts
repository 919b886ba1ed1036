import { blocksOf, endOfString, translatedText } from './code-blocks.js';
import type { MaskBuilder } from './masked-text.js';

const marks = /\?>|['"`]|\/\/|\/\*|#(?!\[)|<<<[ \t]*(["']?)([A-Za-z_]\w*)\1\r?\n/g;

/**
 * Masks PHP code, up to its closing tag or the end of the file. Ignores a closing tag in a string or in a multi-line comment.
 * https://www.php.net/manual/en/language.basic-syntax.phptags.php
 */
export function hidePhp(builder: MaskBuilder, start: number): number {
  const { source } = builder;
  const texts: [number, number][] = [];
  let code = '';
  let at = start;
  marks.lastIndex = start;
  for (let match = marks.exec(source); match; match = marks.exec(source)) {
    code += source.slice(at, match.index);
    if (match[0] === '?>') return hide(match.index + 2);
    at = endOfPhpText(source, match);
    if (!/^[/#]/.test(match[0])) texts.push([match.index, at]);
    code += ' ';
    marks.lastIndex = at;
  }
  code += source.slice(at);
  return hide(source.length);

  function hide(end: number): number {
    builder.hide(start, end, blocksOf(code, 'braces'), translatedText(source, start));
    for (const [from, to] of texts) builder.findCodeForms(from, to);
    const call = /\b(?:form_open(?:_multipart)?|Form::(?:open|model))\s*\(/.exec(code);
    if (call) builder.findCodeForms(start, end);
    return end;
  }
}

function endOfPhpText(source: string, { 0: mark, 2: label, index }: RegExpExecArray): number {
  if (label !== undefined) {
    const end = new RegExp(`^[ \\t]*${label}\\b`, 'gm');
    end.lastIndex = index + mark.length;
    return end.exec(source) ? end.lastIndex : source.length;
  }
  if (mark === '/*') {
    const end = source.indexOf('*/', index + 2);
    return end < 0 ? source.length : end + 2;
  }
  if (mark === '//' || mark === '#') {
    const end = /\n|\?>/g;
    end.lastIndex = index;
    return end.exec(source)?.index ?? source.length;
  }
  return endOfString(source, mark, index);
}
