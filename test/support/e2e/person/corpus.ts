import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonValue } from '../../../../src/json-schema.js';

/** A request that a form sends. A boundary is replaced by BOUNDARY, and the origin of the page by ORIGIN. */
export interface SentRequest {
  readonly method: string;
  /** The path with the query. */
  readonly url: string;
  readonly contentType?: string;
  /** The body as UTF-8. */
  readonly body?: string;
  /** A body that is not UTF-8. */
  readonly bodyBase64?: string;
}

export interface CaseError {
  /** The empty string if the error does not concern a parameter. */
  readonly parameter: string;
  readonly code: string;
}

/** The result of a call: a request; null if nothing is sent; errors if the input is refused. */
export interface Result {
  readonly request?: SentRequest | null;
  readonly errors?: readonly CaseError[];
}

/** A difference from the case, in the result or only in the controls. */
export interface Difference extends Result {
  /** The reason. */
  readonly differs: string;
}

export interface Answer {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: string;
}

/** An action of a person in the page. */
export type Step =
  | { readonly click: string }
  /**
   * Without `into`, the text is typed where the focus is, also in a frame. `delay` is the time between two keys in
   * milliseconds, for scripts that move the caret asynchronously.
   */
  | { readonly type: string; readonly into?: string; readonly delay?: number }
  | { readonly select: string; readonly in: string }
  | { readonly press: string; readonly in?: string }
  | { readonly wait: string };

/** The content of NAME.json, beside the page NAME.html. */
export interface CaseFile extends Result {
  readonly description: string;
  /** The name of the tool in the page. */
  readonly tool: string;
  /** The URL of the page on its site. @default '/folder/page' */
  readonly path?: string;
  readonly input: Readonly<Record<string, JsonValue>>;
  /** The steps of a person who submits the form. Required if the names of the input do not determine the controls. */
  readonly steps?: readonly Step[];
  /** The answer of the site to the request. @default the status 204 */
  readonly answer?: Answer;
  /** Whether the call waits until a person presses the button. */
  readonly awaitsUser?: true;
  readonly person?: Difference;
  readonly live?: Difference;
  readonly gateway?: Difference;
}

export interface PersonCase extends CaseFile {
  /** The folder and the name of the files, without their extensions. */
  readonly name: string;
  readonly html: string;
}

export const corpusFolder = new URL('../../../fixtures/person/', import.meta.url);

/** The cases of test/fixtures/person, sorted by name. */
export const readCases = (): readonly PersonCase[] =>
  readdirSync(fileURLToPath(corpusFolder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html') && !file.startsWith('data/'))
    .sort()
    .map((file) => {
      const json = new URL(file.replace(/html$/, 'json'), corpusFolder);
      return {
        ...(JSON.parse(readFileSync(json, 'utf8')) as CaseFile),
        name: file.replace(/\.html$/, ''),
        html: readFileSync(new URL(file, corpusFolder), 'utf8'),
      };
    });
