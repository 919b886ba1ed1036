import { readForms } from '../compiler/index.js';
import type { PageAnnotations } from './form-annotation.js';
import { PageAnnotator, startOf, type AnnotatorOptions } from './page-annotator.js';
import { parsePage } from './parsed-page.js';
import { hasConflict, takenNames, type SiteTools } from './site-tools.js';
import { findForms } from './templates/form-tags.js';

export interface AnnotateOptions extends AnnotatorOptions {
  /** The tools of other pages, for `renamed` in the result. */
  readonly site?: SiteTools;
}

export interface AnnotatedPage extends PageAnnotations {
  /** The page with other names, if the site has other tools with the names of its tools. */
  readonly renamed?: PageAnnotations;
}

/** Suggests annotations for the forms of a page or a template, and where they are written. Depends only on the arguments. */
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
