import type { FormDescription } from '../compiler/description.js';
import { SubmissionError } from './submission-error.js';

/** The members of a manifest's tool that a submission needs. */
export interface KnownTool {
  readonly name: string;
  readonly title?: string | null;
  readonly description: string;
  /** Absent for a tool that is not a form. */
  readonly form?: Omit<FormDescription, 'tool' | 'location'> & { readonly autosubmit: boolean };
}

/**
 * The form description of a tool, as the compiler returns it.
 *
 * @throws {SubmissionError} `not-submittable` if the tool is not a form
 */
export function descriptionOf({ name, title = null, description, form }: KnownTool): FormDescription {
  if (form) return { tool: { name, title, description, autosubmit: form.autosubmit }, ...form };
  throw new SubmissionError('not-submittable', 'The tool is not a form. Run it in a browser, in its page.');
}

/** The URL of a manifest's page, with the credentials of the base URL. */
export function pageUrl(baseUrl: URL, path: string): string {
  const [file = '', ...query] = path.replace(/\p{Surrogate}/gu, '\ufffd').split('?');
  const folder = file.replace(/(^|\/)index\.html$/, '$1').replace(/(%[\da-f]{2})|[^%]+|%/gi, encodePart);
  const url = new URL('./', baseUrl);
  url.pathname = path.startsWith('/') ? folder : url.pathname + folder;
  url.search = query.join('?');
  return url.href;
}

const encodePart = (text: string, encoded: string | undefined): string =>
  encoded ?? encodeURI(text).replaceAll('#', '%23');
