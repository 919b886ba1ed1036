import { open, rm, writeFile } from 'node:fs/promises';

/** A UUID, which names a version of an item or a draft. */
export const tokenPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

export const nullIf =
  (...codes: readonly string[]) =>
  (error: unknown): null => {
    if (codes.includes(codeOf(error))) return null;
    throw error;
  };

/** Whether an operation succeeded. Errors with other codes than those that are expected are thrown. */
export const succeeds = (attempt: Promise<unknown>, ...codes: readonly string[]): Promise<boolean> =>
  attempt.then(
    () => true,
    (error: unknown) => {
      nullIf(...codes)(error);
      return false;
    },
  );

/** Writes a new file completely, or none. */
export async function writeNew(path: string, text: string, mode: number): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode, flush: true });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') await rm(path, { force: true });
    throw error;
  }
}

export const createEmpty = async (path: string, mode: number): Promise<void> => {
  await (await open(path, 'wx', mode)).close();
};
