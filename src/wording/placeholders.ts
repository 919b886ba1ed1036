import { collapseWhitespace } from '../compiler/html/text.js';
import { contentWords, stem } from './words.js';

const maxLabelLength = 60;
const placeholder = 'to ?do|tbd|fixme|x{3,}|asdf.*|lorem ipsum.*|n ?a';
const placeholderDescription = new RegExp(
  `^(?:${placeholder}|test|(?:(?:a|the|this|my|our|web|html) )*(?:tool|form|page|function|action|description|tool ?description|submit(?: (?:the )?form)?|formular|formulaire|formulario))$`,
);
const placeholderLabel = new RegExp(
  `^(?:${placeholder}|(?:(?:a|an|the|your|enter|type|please|select|choose|pick|one) )*(?:value|input|field|text|data|label|parameter|param|placeholder|option|options|select|choose|something|here)|(?:input|field|parameter|param|label|option) ?\\d+)$`,
);

/** Whether a label or a parameter description would fit any parameter. */
export function isPlaceholderLabel(text: string): boolean {
  if (text.length > maxLabelLength) return false;
  const words = withoutPunctuation(text);
  return words === '' || placeholderLabel.test(words);
}

/** Whether a tool description would fit any tool. */
export const isPlaceholderDescription = (text: string): boolean =>
  placeholderDescription.test(withoutPunctuation(text.slice(0, 1000)));

const withoutPunctuation = (text: string): string =>
  collapseWhitespace(text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' '));

/** Whether every content word of a description is in the name. */
export function repeats(name: string, description: string): boolean {
  const known = new Set(contentWords(name).map(stem));
  return contentWords(description).every((word) => known.has(stem(word)));
}
