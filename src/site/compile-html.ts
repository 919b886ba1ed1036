import { annotation } from '../compiler/describe/label-text.js';
import { differentForms, formIdentity } from '../compiler/form-identity.js';
import { languageReader } from '../compiler/html/language.js';
import { collapseWhitespace } from '../compiler/html/text.js';
import {
  defaultSensitive,
  describeForm,
  readForms,
  type Diagnostic,
  type FoundForm,
  type ProfileName,
  type Sensitive,
} from '../compiler/index.js';
import { isTooLarge } from '../compiler/limits.js';
import { preview } from '../compiler/preview.js';
import { omit } from '../compiler/profiles/redact.js';
import { descendants } from '../compiler/tree.js';
import { groupBy } from '../group-by.js';
import {
  PageLimitError,
  parseWithinLimits,
  type Parse5Element,
  type Parse5Node,
  type Parse5Page,
} from '../parse5/parse5-tree.js';
import { maxToolElements } from './limits.js';
import type { ManifestPage, ManifestTool } from './manifest/manifest.js';
import { mayContainTools } from './pages/undecoded-page.js';
import { compileForm, type ReadToolsOptions, type ToolReading } from './tools/compile-form.js';
import { ToolElementReader } from './tools/read-tool-element.js';
import { findToolElements, insideOf, type ToolElements } from './tools/tool-elements.js';

export interface CompileOptions {
  /**
   * The path and query of the page's URL, relative to the site's base URL, or to its origin if it begins with `/`. A `?` in
   * a file name has to be percent-encoded.
   */
  readonly path: string;
  /** The profile of the input schemas. @default 'precise' */
  readonly profile?: ProfileName;
  /**
   * Whether passwords, payment data and one-time codes become parameters.
   * @default 'include' for the profile chromium, 'exclude' for the other profiles
   */
  readonly sensitive?: Sensitive;
  /** The `Content-Language` of the page's response: the language of its tools if the page declares none. */
  readonly contentLanguage?: string;
  /** The label of the page's encoding. @default the label in a meta element, or UTF-8 */
  readonly encoding?: string;
}

/**
 * Compiles the tools of a page from its HTML. Mistakes of its author are diagnostics in the result, not exceptions.
 *
 * @example
 * compileHtml('<form toolname="find" tooldescription="Finds books.">...</form>', { path: 'index.html' }).tools;
 */
export function compileHtml(
  html: string,
  { path, profile = 'precise', sensitive = defaultSensitive(profile), ...headers }: CompileOptions,
): ManifestPage {
  if (!mayContainTools(html)) return { path, tools: [], diagnostics: [] };
  const page = parseWithinLimits(html, 'elements');
  if (page instanceof PageLimitError) return { path, tools: [], diagnostics: [pageLimitDiagnostic(page)] };
  return toManifestPage(path, readTools(page, { profile, sensitive }).tools, page, headers);
}

export const pageLimitDiagnostic = ({ message }: PageLimitError): Diagnostic => ({
  code: 'limit-exceeded',
  severity: 'error',
  message: `${message} Its forms are not read. Split the page.`,
});

const maxTitleLength = 200;

/** Finds the `<title>` of a page, or else its first `<h1>`. Elements without text are ignored. */
export function findTitle({ document, tree }: Parse5Page): { element: Parse5Element; text: string } | undefined {
  for (const name of ['title', 'h1']) {
    const isNamed = (node: Parse5Node): node is Parse5Element => tree.isElement(node) && tree.localName(node) === name;
    // An element without text is not searched for nested elements, so that each element is read once.
    const isEmpty = (node: Parse5Node): boolean => isNamed(node) && titleText(tree, node) === '';
    for (const node of descendants(tree, document, isEmpty))
      if (isNamed(node)) return { element: node, text: titleText(tree, node) };
  }
  return undefined;
}

function titleText(tree: Parse5Page['tree'], element: Parse5Element): string {
  let text = '';
  for (const node of descendants(tree, element)) text += tree.text(node) ?? '';
  const start = collapseWhitespace(text).slice(0, maxTitleLength);
  return start.replace(/\p{Surrogate}$/u, '').trim(); // half of a surrogate pair
}

/** The encoding of a page and of its submissions, unless it is UTF-8. */
function legacyEncoding({ tree, document }: Parse5Page, encoding?: string): { readonly encoding?: string } {
  const label = encoding ?? metaEncoding(tree, document);
  return label === undefined || /^\s*(?:(?:unicode|x-unicode|utf)|$)/i.test(label) ? {} : { encoding: label };
}

/** https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element */
function metaEncoding(tree: Parse5Page['tree'], document: Parse5Node): string | undefined {
  for (const node of descendants(tree, document)) {
    const name = tree.isElement(node) ? tree.localName(node) : '';
    if (name === 'body') return undefined;
    if (name !== 'meta') continue;
    const meta = node as Parse5Element;
    const isType = tree.attribute(meta, 'http-equiv')?.toLowerCase() === 'content-type';
    const content = isType ? (tree.attribute(meta, 'content') ?? '') : '';
    const label = tree.attribute(meta, 'charset') ?? /charset\s*=\s*["']?([^\s;"']+)/i.exec(content)?.[1];
    if (label !== undefined) return label;
  }
  return undefined;
}

export function toManifestPage(
  path: string,
  readings: readonly ToolReading[],
  page: Parse5Page,
  { contentLanguage, encoding }: Pick<CompileOptions, 'contentLanguage' | 'encoding'> = {},
): ManifestPage {
  const languageOf = languageReader(page.tree, contentLanguage);
  const legacy = legacyEncoding(page, encoding);
  const tools = readings.flatMap(({ tool, element }) => {
    if (!tool) return [];
    const { name, title, description, form, ...rest } = tool;
    const texts = { name, ...(title !== undefined && { title }), description };
    return { ...texts, ...languageOf(element), ...rest, ...(form && { form: { ...form, ...legacy } }) };
  });
  const title = tools.length > 0 ? (findTitle(page)?.text ?? '') : '';
  return { path, ...(title && { title }), tools, diagnostics: readings.flatMap(({ diagnostics }) => diagnostics) };
}

interface ToolsReading {
  /** In document order. */
  readonly tools: readonly ToolReading[];
  readonly plainForms: readonly Parse5Element[];
}

/** Reads the tools of a parsed page. As in a browser, annotated forms get their names before any `<webmcp-tool>`. */
export function readTools(page: Parse5Page, options: ReadToolsOptions): ToolsReading {
  const forms = readForms(page.tree, page.document);
  const { found, order }: ToolElements = page.mayHaveToolElements
    ? findToolElements(page)
    : { found: [], order: new Map() };
  const scopes = new Map(found.length > 0 ? forms.map(({ form, scope }) => [form, scope] as const) : []);
  const readers = found.slice(0, maxToolElements + 1).map((each) => new ToolElementReader(page.tree, each, options));
  const elements = readers.map((reader, index) =>
    index < maxToolElements ? reader.read(scopes) : reader.refuse(found.length - index),
  );
  const claimed = new Set(elements.flatMap(({ formElement }) => formElement ?? []));
  const unclaimed = forms.filter(({ form }) => !claimed.has(form));
  const isAnnotated = ({ form }: FoundForm<Parse5Element>): boolean =>
    ['toolname', 'tooldescription'].some((name) => annotation(page.tree, form, name) !== null);
  const annotated = readAnnotatedForms(page, unclaimed.filter(isAnnotated), options);
  const withForm = elements.filter(({ formElement }) => formElement);
  const declared = elements.filter(({ formElement }) => !formElement);
  const positionOf = ({ element }: ToolReading): number => order.get(element) ?? 0;
  return {
    tools: withDistinctNames([...withoutConflicts([...annotated, ...withForm]), ...declared])
      .map((reading) => withOutsideControl(page, reading))
      .sort((a, b) => positionOf(a) - positionOf(b)),
    plainForms: unclaimed.filter((each) => !isAnnotated(each)).map(({ form }) => form),
  };
}

/** Reads forms until their total size exceeds the limit of a page. */
function readAnnotatedForms(
  page: Parse5Page,
  forms: readonly FoundForm<Parse5Element>[],
  options: ReadToolsOptions,
): readonly ToolReading[] {
  const readings: ToolReading[] = [];
  for (const each of forms) {
    const reading = readAnnotatedForm(page, each, options);
    const later = isTooLarge(reading.form) ? forms.length - readings.length - 1 : 0;
    readings.push(later > 0 ? withLaterForms(reading, later) : reading);
    if (later > 0) break;
  }
  return readings;
}

const withLaterForms = (reading: ToolReading, count: number): ToolReading => ({
  ...reading,
  diagnostics: reading.diagnostics.map((each) =>
    each.code === 'limit-exceeded' && each.severity === 'error'
      ? { ...each, message: `${each.message} The ${count} forms after it are not tools either.` }
      : each,
  ),
});

export function readAnnotatedForm(
  { tree }: Parse5Page,
  { form, scope }: FoundForm<Parse5Element>,
  options: ReadToolsOptions,
): ToolReading {
  const { description, controls } = describeForm(tree, form, scope);
  return { element: form, formElement: form, scope, controls, ...compileForm(description, options) };
}

/** Removes and reports tools that have the same name but different forms: a visitor may have written one of the forms. */
function withoutConflicts(readings: readonly ToolReading[]): readonly ToolReading[] {
  const others = new Map<ToolReading, ToolReading>();
  for (const sameName of groupBy(readings, ({ tool }) => tool?.name).values()) {
    const byIdentity = sameName.length > 1 ? groupBy(sameName, ({ form }) => formIdentity(form)) : new Map();
    const [first, second] = [...byIdentity.values()] as readonly ToolReading[][];
    if (!first || !second) continue;
    for (const each of sameName) {
      others.set(each, (first.includes(each) ? second : first)[0] as ToolReading);
    }
  }
  return readings.map((reading) => {
    const other = others.get(reading);
    if (!reading.tool || !other) return reading;
    return withoutTool(reading, reading.tool, differentForms(placeOf(other)));
  });
}

function placeOf({ element: { tagName }, tool }: ToolReading): string {
  const { line, column } = (tool as ManifestTool).source;
  return `${tagName === 'form' ? tagName : `<${tagName}>`} at ${line}:${column}`;
}

function withDistinctNames(readings: readonly ToolReading[]): ToolReading[] {
  const firstByName = new Map<string, ToolReading>();
  return readings.map((reading) => {
    const { tool } = reading;
    const first = tool && firstByName.get(tool.name);
    if (tool && !first) firstByName.set(tool.name, reading);
    if (!tool || !first) return reading;
    const message = `The ${placeOf(first)} has the same name, so this one is not a tool. Rename one of them.`;
    return withoutTool(reading, tool, message);
  });
}

/** Reports the first control that belongs to the form of a tool only by its attribute `form`. */
function withOutsideControl({ tree }: Parse5Page, reading: ToolReading): ToolReading {
  const { formElement, form, controls, tool } = reading;
  if (!formElement || !tool) return reading;
  const isInside = insideOf(tree, formElement);
  const index = controls.findIndex((control) => tree.attribute(control, 'form') !== null && !isInside(control));
  const { name, location } = form.controls[index] ?? {};
  if (!location) return reading;
  const diagnostic: Diagnostic = {
    code: 'control-outside-form',
    severity: 'warning',
    message: `The control${name ? ` ${preview(name)}` : ''} is outside the element of its form. Its attribute form connects it, and content of visitors can have this attribute too. Move it into the form, or exclude the content of visitors with data-webmcp-ignore.`,
    tool: tool.name,
    ...(name && { parameter: name }),
    location,
  };
  return { ...reading, diagnostics: [...reading.diagnostics, diagnostic] };
}

function withoutTool(reading: ToolReading, { name, source }: ManifestTool, message: string): ToolReading {
  const code = 'duplicate-tool-name';
  const diagnostic: Diagnostic = { code, severity: 'error', message, tool: name, location: source };
  return { ...omit(reading, 'tool'), diagnostics: [...reading.diagnostics, diagnostic] };
}
