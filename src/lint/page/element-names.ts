import type { Found, LintedTool } from './context.js';

/** What annotations are called on a `<webmcp-tool>` and on its parameters. */
const words: Readonly<Record<string, string>> = {
  toolname: 'name',
  tooldescription: 'description',
  toolautosubmit: 'autosubmit',
  toolparamdescription: 'description',
};

/** A finding in the words of what is annotated: a `<webmcp-tool>` has attributes of its own. */
export function inItsWords(found: Found, { element }: LintedTool): Found {
  if (element.tagName !== 'webmcp-tool') return found;
  const attributes = found.attributes?.map((name) => (isOurs(found) ? (words[name] ?? name) : name));
  const message = found.message
    .replace(/\btoolparamdescription\b/g, 'description of a <webmcp-param>')
    .replace(/\btool(?:name|description|autosubmit)\b/g, (name) => words[name] ?? name);
  return { ...found, message, ...(attributes && { attributes }) };
}

const isOurs = ({ element }: Found): boolean => /^webmcp-(?:tool|param)$/.test(element.tagName);
