import { hasExtension, pageExtensions } from '../../site/pages/page-extensions.js';
import { maskVue } from './components.js';
import { withBladeElements, withComponentForms } from './form-components.js';
import { maskRazor } from './razor.js';
import { maskTemplate, type TemplateSyntax } from './delimiters.js';
import type { MaskedText } from './masked-text.js';

type Mask = (source: string) => MaskedText;

/** A kind of file, which determines how annotations are read and written. */
export interface FileKind {
  readonly name: string;
  /** The file extensions, without the full stop. */
  readonly extensions: readonly string[];
  readonly mask: Mask;
  /** Whether the file is never a whole page: its tags belong to components, or its attributes are computed. */
  readonly isComponent?: true;
  /** Whether attributes need a value, as in React, where an attribute without a value is not an empty string. */
  readonly needsValue?: true;
  /** The characters that have a meaning in the template's syntax and must be escaped in values. */
  readonly special?: RegExp;
}

/** A kind whose JavaScript parser is imported on first use. */
interface LazyFileKind extends Omit<FileKind, 'mask'> {
  readonly loadMask: () => Promise<Mask>;
}

const maskOf = (source: string, syntax: TemplateSyntax): MaskedText => {
  const masked = maskTemplate(source, syntax);
  return syntax.blade ? withComponentForms(withBladeElements(masked)) : masked;
};

const template = (name: string, extensions: string, syntax: TemplateSyntax, special?: RegExp): FileKind => ({
  name,
  extensions: extensions.split(' '),
  mask: (source) => maskOf(source, syntax),
  ...(special && { special }),
});

const jsx = (name: string, extension: string): LazyFileKind => ({
  name,
  extensions: [extension],
  loadMask: async () => (await import('./jsx/mask-jsx.js')).maskJsx,
  isComponent: true,
  needsValue: true,
});

const all: TemplateSyntax = { mustaches: true, tags: true, angles: 'braces', php: 'long' };

const xmlExtension = 'xhtml';

/** The kind of pages, including pages without a file, such as standard input. */
export const pageKind = template('HTML', pageExtensions.filter((each) => each !== xmlExtension).join(' '), all);

/** All kinds. The first kind with a matching extension is the kind of a file. */
const kinds: readonly (FileKind | LazyFileKind)[] = [
  template('Blade', 'blade.php', { mustaches: true, blade: true, php: 'short' }, /@/g),
  template('PHP', 'php phtml ctp', { php: 'short' }),
  template('ERB', 'erb rhtml eex', { angles: 'ruby' }),
  template('EJS or JSP', 'ejs jsp jspf', { angles: 'braces' }),
  {
    name: 'Razor',
    extensions: ['cshtml', 'razor'],
    mask: (source) => withComponentForms(maskRazor(source)),
    isComponent: true,
    special: /@/g,
  },
  template('Handlebars, Mustache or Go', 'hbs handlebars mustache gohtml tmpl', { mustaches: true }),
  template('Jinja, Django, Twig or Liquid', 'jinja jinja2 j2 djhtml twig njk liquid', { mustaches: true, tags: true }),
  { name: 'Vue', extensions: ['vue'], mask: maskVue, isComponent: true },
  {
    name: 'Svelte',
    extensions: ['svelte'],
    loadMask: async () => (await import('./svelte.js')).maskSvelte,
    isComponent: true,
  },
  {
    name: 'Astro',
    extensions: ['astro'],
    loadMask: async () => (await import('./jsx/astro.js')).maskAstro,
    isComponent: true,
  },
  jsx('JSX', 'jsx'),
  jsx('TSX', 'tsx'),
  { ...template('XHTML', xmlExtension, all), needsValue: true },
  pageKind,
];

const kindOf = (file: string): FileKind | LazyFileKind | undefined =>
  kinds.find(({ extensions }) => hasExtension(file, extensions));

export const hasKind = (file: string): boolean => kindOf(file) !== undefined;

/** Loads the kind of a file. A file of an unknown kind is a page. */
export async function loadKind(file: string): Promise<FileKind> {
  const kind = kindOf(file) ?? pageKind;
  return 'mask' in kind ? kind : { ...kind, mask: await kind.loadMask() };
}

/** The extensions of files with components, which `lint` reads besides pages. */
const componentExtensions: readonly string[] = kinds.flatMap(({ isComponent, extensions }) =>
  isComponent ? extensions : [],
);

export const isComponentFile = (file: string): boolean => hasExtension(file, componentExtensions);

export const lintedExtensions: readonly string[] = [...pageExtensions, ...componentExtensions];

export const knownExtensions: readonly string[] = kinds.flatMap(({ extensions }) => extensions);
