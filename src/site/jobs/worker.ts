import { compileHtml, type CompileOptions } from '../compile-html.js';
import { runPageTask, type PageOutcome, type PageTask } from '../pages/process-page.js';

/** A page to compile in a worker thread. */
export interface CompileTask extends PageTask {
  readonly options: Omit<CompileOptions, 'path'>;
}

/** Compiles a page to the JSON of its tools and diagnostics, which do not depend on its path. */
export const compilePage = (task: CompileTask): PageOutcome<string> =>
  runPageTask(task, 'compile', (html) => {
    const { tools, diagnostics } = compileHtml(html, { ...task.options, path: '' });
    return JSON.stringify({ tools, diagnostics });
  });
