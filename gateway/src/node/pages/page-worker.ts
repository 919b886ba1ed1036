import {
  type AnswerTask,
  type PageRequest,
  type PageTask,
  SubmissionError,
  createPageRequest,
  readAnswer as readAnswerHere,
  readForm as readFormHere,
  type PageSearch,
} from 'webmcp-forms/headless';

/** A result or a failure. Errors lose their class and their members when they are cloned to another thread. */
export type Outcome<Result> =
  | { readonly result: Result }
  | { readonly failure: Pick<SubmissionError, 'code' | 'message' | 'parameters' | 'url'> };

export const createRequest = (task: PageTask): Outcome<PageRequest> => outcomeOf(() => createPageRequest(task));

export const readForm = (task: PageSearch): Outcome<string> => outcomeOf(() => JSON.stringify(readFormHere(task)));

/** Returns JSON, because parsing it is faster than cloning a large object. */
export const readAnswer = (task: AnswerTask): Outcome<string> => outcomeOf(() => JSON.stringify(readAnswerHere(task)));

function outcomeOf<Result>(work: () => Result): Outcome<Result> {
  try {
    return { result: work() };
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
    const { code, message, parameters, url } = error;
    return { failure: { code, message, parameters, ...(url !== undefined && { url }) } };
  }
}
