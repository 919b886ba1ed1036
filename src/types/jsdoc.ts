import { preview } from '../compiler/preview.js';
import type { JsonValue } from '../compiler/index.js';
import { ownMember, type JsonRecord } from '../json.js';
import { oneLine } from '../site/printable.js';

/** Creates a comment from strings of pages. They can neither end the comment nor begin a tag. */
export function jsdoc(texts: readonly string[], indent = ''): string {
  const lines = texts.map(escapeComment).filter(Boolean);
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines.join('')} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join(`${indent} *\n`)}${indent} */\n`;
}

/** Invisible characters. Some of them reverse text, so that the comment would look like code. */
const invisible = /[\p{Cf}\p{Cs}]+/gu;

export const escapeComment = (text: string): string =>
  oneLine(text)
    .replace(invisible, ' ')
    .replaceAll('*/', '*\\/')
    .replace(/(^|[\s{*])@/g, '$1\\@');

const limitKeywords = ['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'format'];

/** The descriptions in a parameter's schema, with the keywords that a type cannot express. */
export function schemaTexts(schema: JsonRecord): readonly string[] {
  const limits = limitKeywords.flatMap((keyword) => {
    const value = ownMember(schema, keyword);
    return typeof value === 'number' || typeof value === 'string' ? `${keyword}: ${show(value)}` : [];
  });
  const defaultValue = ownMember(schema, 'default');
  return [
    textOf(ownMember(schema, 'title')),
    textOf(ownMember(schema, 'description')),
    limits.length > 0 ? `${limits.join(', ')}.` : '',
    defaultValue === undefined ? '' : `Default: ${show(defaultValue)}.`,
  ];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const show = (value: unknown): string => preview(value as JsonValue, 200);
