import type { ToolAnswer } from 'webmcp-forms/client';
import { collapseWhitespace, preview } from 'webmcp-forms/headless';

/** The messages and errors of a response, then the rest of its text, without control characters. */
export function siteText({ messages = [], errors = [], json, text = '' }: ToolAnswer, maxLength: number): string {
  const reports = [...messages, ...errors.map(({ message }) => message)];
  const rest = json === undefined ? text.slice(0, maxLength) : preview(json, maxLength);
  const parts = [...reports.filter((each) => !rest.includes(each)), rest];
  const cleaned = collapseWhitespace(parts.join(' ').replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' '));
  return cleaned.length > maxLength ? `${cleaned.slice(0, maxLength)}...` : cleaned;
}
