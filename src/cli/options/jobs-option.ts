import { InvalidArgumentError, Option } from 'commander';

/** The option of the commands that work in threads; `work` is what the threads do. */
export const jobsOption = (work: string): Option =>
  new Option(
    '--jobs <number>',
    `how many threads ${work} (default: 1 for each 100 pages, at most one a processor)`,
  ).argParser(parseJobs);

function parseJobs(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is no whole number from 1 to 999.');
}
