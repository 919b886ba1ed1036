import { stringify } from '../../json.js';

/** The result of a tool as a string, as Chromium makes it; throws for what cannot be one. */
export function answerText(value: unknown): string {
  if (typeof value === 'symbol') throw new TypeError('A symbol cannot be a result.');
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return String(isObject ? (stringify(value) as string | undefined) : value);
}
