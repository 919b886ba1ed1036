import type { CompileOptions } from '../compile-html.js';
import { compileSource } from '../pages/page-source.js';
import { decodeUtf8 } from '../pages/read-text.js';
import { UsageError } from '../usage-error.js';
import type { PageContent } from '../pages/may-hold-tools.js';

/** A page to compile, as it goes to another thread. */
export interface PageTask {
  readonly content: PageContent;
  /** What errors call it. */
  readonly where: string;
  readonly options: Omit<CompileOptions, 'path'>;
}

/** The JSON of a page's tools and diagnostics, or why there is none. */
export type PageOutcome = { readonly json: string } | { readonly error: string };

/** Compiles a page; its path is no matter. This is what a worker runs, and where there is none, the main thread. */
export function compilePage({ content, where, options }: PageTask): PageOutcome {
  try {
    const html = typeof content === 'string' ? content : decodeUtf8(content, where);
    const { tools, diagnostics } = compileSource({ path: '', file: '', html, where }, options);
    return { json: JSON.stringify({ tools, diagnostics }) };
  } catch (error) {
    if (error instanceof UsageError) return { error: error.message };
    throw error;
  }
}
