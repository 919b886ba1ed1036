import { readForms } from '../compiler/index.js';
import type { PageAnnotations, UnsafeForm } from './form-annotation.js';
import { PageAnnotator, startOf, type AnnotatorOptions } from './page-annotator.js';
import { hasConflict, takenNames, type SiteTools } from './site-tools.js';
import { findForms } from './templates/form-tags.js';
import { PageLimitError } from '../parse5/parse5-tree.js';
import { LineCounter } from './line-counter.js';
import type { FileKind } from './templates/file-kinds.js';
import { TemplateError, type MaskedText } from './templates/masked-text.js';
import { parseTemplate, type TemplatePage } from './templates/template-page.js';

export interface ParsedPage {
  readonly page: TemplatePage;
  readonly lines: LineCounter;
}

/** Parses a page or a template. */
export function parsePage(
  source: string,
  kind: FileKind,
  locations?: Parameters<typeof parseTemplate>[1],
): ParsedPage | UnsafeForm {
  const masked = mask(source, kind);
  if ('reason' in masked) return masked;
  const page = parseTemplate(masked, locations);
  if (page instanceof PageLimitError) return { line: 1, column: 1, reason: `${page.message} Split the page.` };
  return { page, lines: new LineCounter(source) };
}

function mask(source: string, kind: FileKind): MaskedText | UnsafeForm {
  try {
    return kind.mask(source);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const reason = `The file cannot be parsed as ${kind.name}: ${error.message}. Annotate its forms by hand.`;
    return { ...new LineCounter(source).at(error.at), reason };
  }
}

export interface AnnotateOptions extends AnnotatorOptions {
  /** The tools of other pages, for `renamed` in the result. */
  readonly site?: SiteTools;
}

export interface AnnotatedPage extends PageAnnotations {
  /** The annotations with unique tool names, if another tool of the site has one of the suggested names. */
  readonly renamed?: PageAnnotations;
}

/** Suggests annotations, with their places, for the forms of a page or template. Depends only on the arguments. */
export function annotatePage(source: string, options: AnnotateOptions): AnnotatedPage {
  const parsed = parsePage(source, options.kind);
  if ('reason' in parsed) return { forms: [], unsafe: [parsed], tools: [] };
  const { page, lines } = parsed;
  const forms = readForms(page.tree, page.document);
  const { tags, unsafe } = findForms(page.masked, new Set(forms.map(({ form }) => startOf(form))));
  const annotator = new PageAnnotator(page, { forms, tags, lines }, options);
  const annotations = annotator.annotate(unsafe.map(({ at, reason }) => ({ ...lines.at(at), reason })));
  const { site } = options;
  if (!site || !hasConflict(annotations.forms, site)) return annotations;
  return { ...annotations, renamed: annotator.rename(takenNames(annotations.forms, site)) };
}
