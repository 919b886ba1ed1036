import type { FormDescription } from '../compiler/description.js';
import { formState } from '../compiler/input/form-state.js';
import type { ProfileName } from '../compiler/profiles/synthesize.js';
import { checkConfigSize, configuredHeaders, type SubmitConfig } from './config.js';
import { ReadError, unreadablePage } from './page/page-reader.js';
import type { FormValues, ReadTask } from './page/form-values.js';
import { parsePageUrl, requestedUrl, type Site } from './submit-form.js';

interface ReadOptions {
  /** The form of the manifest. */
  readonly form: FormDescription;
  /** The absolute URL of the form's page. */
  readonly pageUrl: string;
  readonly config?: SubmitConfig;
  /** The profile of the tool's input schema. @default 'portable' */
  readonly profile?: ProfileName;
}

/** A page whose form is to be read. */
export type Reading = Pick<ReadTask, 'known' | 'config' | 'pageUrl' | 'headers' | 'profile'>;

/**
 * Checks the options without sending anything.
 *
 * @throws {SubmissionError} `config-error`
 */
export function prepareReading({ form, pageUrl, config = {}, profile = 'portable' }: ReadOptions): Reading {
  const url = parsePageUrl(pageUrl);
  checkConfigSize(config);
  const headers = configuredHeaders(config, url);
  const known = { form, states: formState(form), set: new Set<number>(), submitter: undefined };
  return { known, config, pageUrl: requestedUrl(url), headers, profile };
}

/**
 * Reads the values of a form in the session of the site. Nothing is submitted.
 *
 * @throws {SubmissionError}
 */
export async function readPageForm(reading: Reading, { send, cookies, reader, signal }: Site): Promise<FormValues> {
  const response = await send({ method: 'GET', url: reading.pageUrl, isPage: true });
  const task: ReadTask = { ...reading, response, cookies };
  return await reader.readForm(task, signal).catch((error: unknown) => {
    throw error instanceof ReadError ? unreadablePage(error, task, signal) : error;
  });
}
