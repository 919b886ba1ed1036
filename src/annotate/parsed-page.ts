import { PageLimitError } from '../parse5/parse5-tree.js';
import type { UnsafeForm } from './form-annotation.js';
import { LineCounter } from './line-counter.js';
import type { FileKind } from './templates/file-kinds.js';
import type { MaskedText } from './templates/masked-text.js';
import { TemplateError } from './templates/template-error.js';
import { parseTemplate, type TemplatePage } from './templates/template-page.js';

export interface ParsedPage {
  readonly page: TemplatePage;
  readonly lines: LineCounter;
}

/** Parses a page or a template. */
export function parsePage(source: string, kind: FileKind): ParsedPage | UnsafeForm {
  const masked = mask(source, kind);
  if ('reason' in masked) return masked;
  const page = parseTemplate(masked);
  if (page instanceof PageLimitError) return { line: 1, column: 1, reason: `${page.message} Split the page.` };
  return { page, lines: new LineCounter(source) };
}

function mask(source: string, kind: FileKind): MaskedText | UnsafeForm {
  try {
    return kind.mask(source);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const reason = `The file is not understood as ${kind.name}: ${error.message}. Annotate its forms by hand.`;
    return { ...new LineCounter(source).at(error.at), reason };
  }
}
