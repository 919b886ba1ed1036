import { asciiText, type PageContent } from '../../site/pages/may-contain-tools.js';
import {
  runPageTask,
  startTask,
  type PageOutcome,
  type PageTask,
  type TimedTask,
} from '../../site/pages/process-page.js';
import { annotatePage, type AnnotateOptions } from '../annotate-page.js';
import { loadKind } from '../templates/file-kinds.js';

export interface AnnotateTask extends PageTask, Omit<AnnotateOptions, 'kind'> {
  /** Its name decides the kind of template. */
  readonly file: string;
}

/** Loads the function for a file. It returns the annotations as JSON: parts of strings would keep the pages in memory. */
export async function loadAnnotate(file: string): Promise<(task: AnnotateTask) => PageOutcome<string>> {
  const kind = await loadKind(file);
  return ({ content, file: _, ...options }) =>
    runPageTask({ content }, 'annotate', (source) => JSON.stringify(annotatePage(source, { ...options, kind })));
}

export const annotateInThread = async (timed: TimedTask<AnnotateTask>): Promise<PageOutcome<string>> => {
  const task = startTask(timed);
  return (await loadAnnotate(task.file))(task);
};

/** The reason why the text of a file cannot be changed without changing its encoding. */
export function encodingProblem(content: PageContent): string | undefined {
  if (typeof content === 'string') return undefined;
  const text = asciiText(content);
  if (text.includes('\0')) return 'The file has null characters, as in UTF-16. Save it as UTF-8.';
  if (!/[^\0-\x7f]/.test(text)) return undefined;
  const [, name = 'utf-8'] = /<meta\b[^<>]{0,200}\bcharset\s*=\s*["']?([\w.:-]+)/i.exec(text.slice(0, 2000)) ?? [];
  if (/^(?:utf-?8|unicode-1-1-utf-8|x-unicode20utf8)$/i.test(name)) return undefined;
  return `The file declares the encoding ${name}. Save it as UTF-8, and declare that.`;
}

/** A fast pretest, also for files in other encodings. */
export function mayContainForms(content: PageContent): boolean {
  if (typeof content === 'string') return hints.test(content);
  const text = asciiText(content);
  return hints.test(text) || (text.includes('\0') && hints.test(text.replaceAll('\0', '')));
}

/** A form, an annotation, or a helper that writes a form. */
const hints = /<(?:[\w.-]*[.:-])?\w*form|tool-?name|<webmcp-tool|form_|Form::|\.Begin(?:Route)?Form|button_to/i;
