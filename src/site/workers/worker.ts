import { compileHtml, type CompileOptions } from '../compile-html.js';
import { runPageTask, startTask, type PageOutcome, type PageTask, type TimedTask } from '../pages/process-page.js';

export interface CompileTask extends PageTask {
  readonly options: Omit<CompileOptions, 'path'>;
}

/** Returns the page without its path as JSON. The result does not depend on the path of the page. */
export const compilePage = (task: CompileTask): PageOutcome<string> =>
  runPageTask(task, 'compile', (html) => {
    const { path: _, ...page } = compileHtml(html, { ...task.options, path: '' });
    return JSON.stringify(page);
  });

export const compileInThread = (task: TimedTask<CompileTask>): PageOutcome<string> => compilePage(startTask(task));
