/** The file extensions of pages for all commands and the Vite plugin, in lower case and without the full stop. */
export const pageExtensions: readonly string[] = ['html', 'htm', 'xhtml'];

/** @param extensions - in lower case and without the full stop */
export function hasExtension(file: string, extensions: readonly string[]): boolean {
  const name = file.toLowerCase();
  return extensions.some((extension) => name.endsWith(`.${extension}`));
}

export const isPageFile = (file: string): boolean => hasExtension(file, pageExtensions);

/** Whether the last name of a path starts with a full stop. */
export const isHidden = (path: string): boolean => path.startsWith('.', path.lastIndexOf('/') + 1);
