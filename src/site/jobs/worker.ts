import { compileHtml, type CompileOptions } from '../compile-html.js';
import { runPageTask, type PageOutcome, type PageTask } from '../pages/process-page.js';

export interface CompileTask extends PageTask {
  readonly options: Omit<CompileOptions, 'path'>;
}

/** Returns the tools and diagnostics as JSON. They do not depend on the path of the page. */
export const compilePage = (task: CompileTask): PageOutcome<string> =>
  runPageTask(task, 'compile', (html) => {
    const { tools, diagnostics } = compileHtml(html, { ...task.options, path: '' });
    return JSON.stringify({ tools, diagnostics });
  });
