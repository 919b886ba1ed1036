import { readFileSync } from 'node:fs';
import type { PageInput } from './find-pages.js';
import { cannotRead } from './read-text.js';
import type { PageContent } from './may-hold-tools.js';

/** A page that was read. */
export interface ReadInput {
  readonly input: PageInput;
  readonly content: PageContent;
}

/**
 * Reads pages when their turn comes, as the operating system does it: a promise for each file of a large site takes longer
 * than the file.
 */
export async function* readInputs(inputs: readonly PageInput[]): AsyncGenerator<ReadInput> {
  for (const input of inputs) {
    const { at, file, read } = input;
    yield { input, content: at === null ? await read() : readBytes(at, file) };
  }
}

function readBytes(at: string, file: string): Uint8Array {
  try {
    return readFileSync(at);
  } catch (cause) {
    cannotRead(file, cause);
  }
}
