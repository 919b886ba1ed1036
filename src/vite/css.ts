import { createRequire } from 'node:module';
import type { Postcss, Root } from 'postcss';
import type { Plugin } from 'vite';

interface RewrittenCss {
  readonly code: string;
  readonly map: string;
}

const names = 'tool-form-active|tool-submit-active';
const mentions = new RegExp(`:(?:${names})`, 'i');

/**
 * The pseudo-classes of a prelude. Strings, comments, escapes, pseudo-elements and rewritten selectors are tokens as
 * well, so that they are skipped as a whole.
 */
const tokens = new RegExp(
  String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|/\*.*?\*/|\\.|::[-\w]+|:is\(:(?:${names}),\s?\.\\:(?:${names})\)|` +
    String.raw`:(?<name>${names})(?![-\w\\(\u0080-\uffff])`,
  'gis',
);

type Write = (name: string) => string;

/** Uses `:is()`, because an unknown pseudo-class invalidates any other selector list. */
const withFallback: Write = (name) => `:is(:${name}, .\\:${name})`;

/** For an unknown pseudo-class, `@supports selector()` is false even inside `:is()`. */
const atRules: ReadonlyMap<string, Write> = new Map([
  ['supports', (name) => `.\\:${name}`],
  ['scope', withFallback],
]);

/**
 * Makes the rules for `:tool-form-active` and `:tool-submit-active` work in every browser: each pseudo-class becomes an
 * `:is()` of itself and the class that the polyfill sets, with the same specificity.
 *
 * @returns undefined if nothing changes, or if the text is not valid CSS
 */
export function rewriteCss(css: string, file: string): RewrittenCss | undefined {
  const root = mentions.test(css) ? parseCss(css, file) : undefined;
  if (!root || !rewriteRoot(root)) return undefined;
  const { css: code, map } = root.toResult({ to: file, map: { inline: false, annotation: false, prev: false } });
  return { code, map: map.toString() };
}

/** Loads the PostCSS that the site's Vite depends on. */
const loadPostcss = (): Postcss => {
  const requireOfVite = createRequire(createRequire(import.meta.url).resolve('vite/package.json'));
  return requireOfVite('postcss') as Postcss;
};

let postcss: Postcss | undefined;

function parseCss(css: string, file: string): Root | undefined {
  postcss ??= loadPostcss();
  try {
    return postcss.parse(css, { from: file, map: false });
  } catch {
    return undefined; // Vite reports the syntax error
  }
}

function rewriteRoot(root: Root): boolean {
  let isChanged = false;
  const rewrite = (text: string, write: Write | undefined, set: (text: string) => void): void => {
    const rewritten = write ? replaceNames(text, write) : text;
    if (rewritten === text) return;
    isChanged = true;
    set(rewritten);
  };
  root.walkRules((rule) => rewrite(rule.selector, withFallback, (selector) => (rule.selector = selector)));
  root.walkAtRules((rule) =>
    rewrite(rule.params, atRules.get(rule.name.toLowerCase()), (text) => (rule.params = text)),
  );
  return isChanged;
}

const replaceNames = (text: string, write: Write): string =>
  text.replace(tokens, (token, name: string | undefined) => (name === undefined ? token : write(name.toLowerCase())));

const isStyleSheet = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss)(?:$|\?)/;
/** Queries for which Vite does not return a style sheet. */
const isOther = /[?&](?:worker|sharedworker|raw|url)\b/;

/** The plugin for style sheets. It has no `enforce`, so that it runs after preprocessors and CSS modules. */
export const cssPlugin = (): Plugin => ({
  name: 'webmcp-forms:css',
  transform: {
    filter: { id: { include: isStyleSheet, exclude: isOther }, code: mentions },
    handler(code, id) {
      if (!isStyleSheet.test(id) || isOther.test(id)) return null; // Vite before 6.3 ignores `filter`
      return rewriteCss(code, id.replace(/[?#].*$/s, '')) ?? null;
    },
  },
});
