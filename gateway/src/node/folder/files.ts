import { rm, writeFile } from 'node:fs/promises';

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

export const nullIf =
  (...codes: readonly string[]) =>
  (error: unknown): null => {
    if (codes.includes(codeOf(error))) return null;
    throw error;
  };

/** Writes a new file completely, or none. */
export async function writeNew(path: string, text: string, mode: number): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode, flush: true });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') await rm(path, { force: true });
    throw error;
  }
}
