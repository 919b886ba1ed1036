import { maskSvelte, maskVue } from './components.js';
import { maskTemplate, type TemplateSyntax } from './delimiters.js';
import { maskAstro, maskJsx } from './jsx/jsx.js';
import type { MaskedText } from './masked-text.js';

/** How annotations are read and written in a kind of file. */
export interface FileKind {
  readonly name: string;
  /** The ends of file names, without the full stop. */
  readonly extensions: readonly string[];
  readonly mask: (source: string) => MaskedText;
  /** Whether tags are those of components, so that the file is never a whole page. */
  readonly isComponent?: true;
  /** Whether an attribute without a value is not an empty string, as in React. */
  readonly needsValue?: true;
  /** The characters of values that the template's syntax would read, besides those of HTML. */
  readonly special?: RegExp;
}

const template = (name: string, extensions: string, syntax: TemplateSyntax, special?: RegExp): FileKind => ({
  name,
  extensions: extensions.split(' '),
  mask: (source) => maskTemplate(source, syntax),
  ...(special && { special }),
});

const all: TemplateSyntax = { mustaches: true, tags: true, angles: 'braces', php: 'long' };

/** The first kind with the end of a file's name is that of the file. */
const kinds: readonly FileKind[] = [
  template('Blade', 'blade.php', { mustaches: true, blade: true, php: 'short' }, /@/g),
  template('PHP', 'php phtml ctp', { php: 'short' }),
  template('ERB', 'erb rhtml eex', { angles: 'ruby' }),
  template('EJS or JSP', 'ejs jsp jspf', { angles: 'braces' }),
  template('Handlebars, Mustache or Go', 'hbs handlebars mustache gohtml tmpl', { mustaches: true }),
  template('Jinja, Django, Twig or Liquid', 'jinja jinja2 j2 djhtml twig njk liquid', { mustaches: true, tags: true }),
  { name: 'Vue', extensions: ['vue'], mask: maskVue, isComponent: true },
  { name: 'Svelte', extensions: ['svelte'], mask: maskSvelte, isComponent: true },
  { name: 'Astro', extensions: ['astro'], mask: maskAstro, isComponent: true },
  {
    name: 'JSX',
    extensions: ['jsx'],
    mask: (source) => maskJsx(source, {}),
    isComponent: true,
    needsValue: true,
  },
  {
    name: 'TSX',
    extensions: ['tsx'],
    mask: (source) => maskJsx(source, { isTypeScript: true }),
    isComponent: true,
    needsValue: true,
  },
  { ...template('XHTML', 'xhtml', all), needsValue: true },
  template('HTML', 'html htm', all),
];

export function kindOf(file: string): FileKind | undefined {
  const name = file.toLowerCase();
  return kinds.find(({ extensions }) => extensions.some((extension) => name.endsWith(`.${extension}`)));
}

/** The kind of pages without a file, such as those of standard input. */
export const pageKind = kinds.at(-1) as FileKind;

export const knownExtensions: readonly string[] = kinds.flatMap(({ extensions }) => extensions);
