import { preview } from '../compiler/preview.js';
import type { JsonValue } from '../compiler/index.js';
import { type JsonRecord } from '../json.js';
import { member } from '../site/json-record.js';
import { oneLine } from '../site/report.js';

/** Texts of pages as a comment: none of them ends it, and none begins a tag of it. */
export function jsdoc(texts: readonly string[], indent = ''): string {
  const lines = texts.map(harmless).filter(Boolean);
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines.join('')} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join(`${indent} *\n`)}${indent} */\n`;
}

/** Bidirectional controls could make the comment look like code. */
const unseen = /[\p{Cf}\p{Cs}]+/gu;

export const harmless = (text: string): string =>
  oneLine(text)
    .replace(unseen, ' ')
    .replaceAll('*/', '*\\/')
    .replace(/(^|[\s{*])@/g, '$1\\@');

/** What a schema says of a parameter in words, and in keywords that have no type. */
export function schemaWords(schema: JsonRecord): readonly string[] {
  const limits = limitKeywords.flatMap((keyword) => {
    const value = member(schema, keyword);
    return typeof value === 'number' || typeof value === 'string' ? `${keyword}: ${shown(value)}` : [];
  });
  const value = member(schema, 'default');
  return [
    textOf(member(schema, 'title')),
    textOf(member(schema, 'description')),
    limits.length > 0 ? `${limits.join(', ')}.` : '',
    value === undefined ? '' : `Left out, it is ${shown(value)}.`,
  ];
}

const limitKeywords = ['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'format'];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const shown = (value: unknown): string => preview(value as JsonValue, 200);
