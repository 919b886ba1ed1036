import { isUtf8 } from 'node:buffer';
import { decodePage } from '../../site/pages/charset.js';
import { encodingProblem } from '../../site/pages/page-encoding.js';
import { asciiText, type PageContent } from '../../site/pages/undecoded-page.js';
import { startTask, type PageOutcome, type PageTask, type TimedTask } from '../../site/pages/process-page.js';
import { runPageTask } from '../../site/pages/run-page-task.js';
import { annotatePage, type AnnotateOptions } from '../annotate-page.js';
import { loadKind, type FileKind } from '../templates/file-kinds.js';

export interface AnnotateTask extends PageTask, Omit<AnnotateOptions, 'kind'> {
  /** The file whose name determines the kind of template. */
  readonly file: string;
}

/** Loads the function for a file. It returns JSON, because substrings in the annotations would retain the pages in memory. */
export async function loadAnnotate(file: string): Promise<(task: AnnotateTask) => PageOutcome<string>> {
  const kind = await loadKind(file);
  return ({ content, file: _, ...options }) =>
    runPageTask({ content }, 'annotate', (source) =>
      JSON.stringify(annotatePage(source, { ...options, kind: kindIn(content, kind) })),
    );
}

export const annotateInThread = async (timed: TimedTask<AnnotateTask>): Promise<PageOutcome<string>> => {
  const task = startTask(timed);
  return (await loadAnnotate(task.file))(task);
};

/** The reason why the encoding of a file is unknown, in which case labels may be decoded incorrectly. */
export function unknownEncoding(content: PageContent): string | undefined {
  if (typeof content === 'string' || isUtf8(content)) return undefined;
  const page = decodePage(content);
  if (page.declared !== undefined) return undefined;
  return (
    encodingProblem(content, page) ??
    'The file is not valid UTF-8 and declares no encoding. Declare it in a <meta charset>, or save it as UTF-8.'
  );
}

/** In other encodings than UTF-8, writes non-ASCII characters of annotations as character references. */
function kindIn(content: PageContent, kind: FileKind): FileKind {
  if (typeof content === 'string') return kind;
  const { encoding, declared = 'utf-8' } = decodePage(content);
  if (encoding === 'utf-8' && declared === 'utf-8') return kind;
  return { ...kind, special: new RegExp(`[^\\0-\\x7f]${kind.special ? `|${kind.special.source}` : ''}`, 'gu') };
}

/** A fast pretest before the content is decoded. Ignores NUL bytes, which UTF-16 contains. */
export function mayContainForms(content: PageContent): boolean {
  if (typeof content === 'string') return hints.test(content);
  const text = asciiText(content);
  return hints.test(text) || (text.includes('\0') && hints.test(text.replaceAll('\0', '')));
}

/** A form, an annotation, or a helper that writes a form. */
const hints = /<(?:[\w.-]*[.:-])?\w*form|tool-?name|<webmcp-tool|form_|Form::|\.Begin(?:Route)?Form|button_to/i;
