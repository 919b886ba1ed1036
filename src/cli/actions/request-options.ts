import { resolve } from 'node:path';
import type { ReadSiteOptions } from '../../crawl/index.js';
import { maxConfigBytes } from '../../site/limits.js';
import { readTextFile } from '../../site/pages/read-text.js';
import { UsageError } from '../../site/usage-error.js';

/** The flags of `addRequestOptions`. */
export interface RequestFlags {
  readonly header?: readonly string[];
  readonly insecure?: true;
}

/** @throws {UsageError} if a header is invalid, or its file cannot be read */
export const requestOptions = async (
  { header = [], insecure }: RequestFlags,
  cwd: string,
): Promise<Required<Pick<ReadSiteOptions, 'headers' | 'insecure'>>> => ({
  headers: await headersOf(header, cwd),
  insecure: insecure === true,
});

/** Parses headers. `@FILE` reads one header per line from a file, so that secrets are not in the list of processes. */
async function headersOf(headers: readonly string[], cwd: string): Promise<Readonly<Record<string, string>>> {
  const result: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const header of headers) {
    const file = header.startsWith('@') ? header.slice(1) : undefined;
    for (const line of file === undefined ? [header] : await linesOf(file, cwd)) {
      const [, name = '', value = ''] = /^([^:\s]+):[\t ]*(.*?)[\t ]*$/s.exec(line) ?? [];
      checkHeader(name, value, file);
      result[name.toLowerCase()] = value;
    }
  }
  return result;
}

async function linesOf(file: string, cwd: string): Promise<readonly string[]> {
  const text = await readTextFile(resolve(cwd, file), file, maxConfigBytes);
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** Checks a header. Messages do not contain the value, which may be a secret. */
function checkHeader(name: string, value: string, file: string | undefined): void {
  const where = file === undefined ? 'A --header' : `A line of ${file}`;
  if (!/^[!#$%&'*+\-.^_`|~\da-z]+$/i.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw new UsageError(`${where} is not a header. Write it as "Name: value".`);
  }
  if (/^(?:host|content-length|transfer-encoding|connection|accept-encoding)$/i.test(name)) {
    throw new UsageError(`${where} is ${name}, which is set for each request. Omit it.`);
  }
}
