import { compileHtml, type CompileOptions } from '../compile-html.js';
import { startTask, type PageOutcome, type PageTask, type TimedTask } from '../pages/process-page.js';
import { runPageTask } from '../pages/run-page-task.js';
import { asksForPassword } from '../tools/asks-for-password.js';

export interface CompileTask extends PageTask {
  readonly options: Omit<CompileOptions, 'path'>;
  /** Whether to return only whether the page asks for a password. */
  readonly isLoginCheck?: boolean;
}

/** Returns the page without its path as JSON. The result does not depend on the path of the page. */
export const compilePage = (task: CompileTask): PageOutcome<string> =>
  runPageTask(task, 'compile', (html, encoding) => {
    if (task.isLoginCheck) return JSON.stringify(asksForPassword(html));
    const { path: _, ...page } = compileHtml(html, { ...(encoding && { encoding }), ...task.options, path: '' });
    return JSON.stringify(page);
  });

export const compileInThread = (task: TimedTask<CompileTask>): PageOutcome<string> => compilePage(startTask(task));
