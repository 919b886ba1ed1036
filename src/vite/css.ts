import { parse, type AtRule, type Root, type Rule } from 'postcss';
import type { Plugin } from 'vite';

/** A style sheet that was changed, with its source map. */
export interface RewrittenCss {
  readonly code: string;
  readonly map: string;
}

/**
 * Lets the rules for `:tool-form-active` and `:tool-submit-active` hold in every browser: each becomes `:is()` of itself
 * and of the class that the script sets where the browser has no such pseudo-class. `:is()` forgives what a browser does
 * not know, in a selector list and in `:not()` too, and counts as much as the pseudo-class alone.
 *
 * @returns undefined where nothing is to do, or where the text is no CSS
 */
export function rewriteCss(css: string, file: string): RewrittenCss | undefined {
  if (!mentions.test(css)) return undefined;
  const root = parseCss(css, file);
  if (!root || !rewriteRoot(root)) return undefined;
  const { css: code, map } = root.toResult({ map: { inline: false, annotation: false, prev: false } });
  return { code, map: map.toString() };
}

function parseCss(css: string, file: string): Root | undefined {
  try {
    return parse(css, { from: file, map: false });
  } catch {
    return undefined; // Vite says what is wrong with it
  }
}

function rewriteRoot(root: Root): boolean {
  let isChanged = false;
  root.walk((node) => {
    if (node.type === 'rule' && rewriteSelector(node)) isChanged = true;
    if (node.type === 'atrule' && rewritePrelude(node)) isChanged = true;
  });
  return isChanged;
}

function rewriteSelector(rule: Rule): boolean {
  const selector = replace(rule.selector, forgiving);
  const isChanged = selector !== rule.selector;
  if (isChanged) rule.selector = selector;
  return isChanged;
}

/** `@supports selector()` forgives nothing, so there the class stands alone. */
const inPreludes: Readonly<Record<string, (name: string) => string>> = {
  supports: (name) => `.\\:${name}`,
  scope: forgiving,
};

function rewritePrelude(atRule: AtRule): boolean {
  const name = atRule.name.toLowerCase();
  const write = Object.hasOwn(inPreludes, name) ? inPreludes[name] : undefined;
  const params = write ? replace(atRule.params, write) : atRule.params;
  const isChanged = params !== atRule.params;
  if (isChanged) atRule.params = params;
  return isChanged;
}

function forgiving(name: string): string {
  return `:is(:${name}, .\\:${name})`;
}

const names = 'tool-form-active|tool-submit-active';
const mentions = new RegExp(`:(?:${names})`, 'i');

/**
 * The tokens of a selector that matter: strings, comments and escapes hold no pseudo-class, what is rewritten stays, a
 * second colon makes a pseudo-element, and a longer name, or one with arguments, is another one.
 */
const tokens = new RegExp(
  String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|/\*.*?\*/|\\.|::[-\w]+|:is\(:(?:${names}), \.\\:(?:${names})\)|` +
    String.raw`:(?<name>${names})(?![-\w\\(\u0080-\uffff])`,
  'gis',
);

const replace = (text: string, write: (name: string) => string): string =>
  text.replace(tokens, (token, name: string | undefined) => (name === undefined ? token : write(name.toLowerCase())));

/** What Vite takes for style sheets, without those that a module has as text or as an address. */
const isStyleSheet = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss)(?:$|\?)/;
const isOther = /[?&](?:worker|sharedworker|raw|url)\b/;

/** It comes after preprocessors and CSS modules, which Vite runs before the plugins without an order. */
export const cssPlugin = (): Plugin => ({
  name: 'webmcp-forms:css',
  transform: {
    filter: { id: { include: isStyleSheet, exclude: isOther }, code: mentions },
    handler(code, id) {
      if (!isStyleSheet.test(id) || isOther.test(id)) return null; // Vite before 6.3 knows no filter
      return rewriteCss(code, id.replace(/[?#].*$/s, '')) ?? null;
    },
  },
});
