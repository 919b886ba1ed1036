import picomatch from 'picomatch';

const maxGlobLength = 1000;
const maxNameWildcards = 3;
const maxFolderWildcards = 3;
const maxBraces = 10;

/** The limit that a glob exceeds; undefined if it exceeds none. Matching takes the length of the path to the power of the number of wildcards. */
export function globExcess(glob: string): string | undefined {
  const names = glob.split('/');
  const countOf = (text: string, character: string): number => text.split(character).length - 1;
  if (names.some((name) => name !== '**' && countOf(name, '*') > maxNameWildcards))
    return `more than ${maxNameWildcards} wildcards in a name`;
  if (names.filter((name) => name === '**').length > maxFolderWildcards)
    return `more than ${maxFolderWildcards} times the wildcard **`;
  if (glob.length > maxGlobLength) return `more than ${maxGlobLength} characters`;
  return countOf(glob, '{') > maxBraces ? `more than ${maxBraces} braces` : undefined;
}

/** Supports `*`, `**`, `?` and `{a,b}`. Other characters are literal, so that `[id].html` matches itself. */
export const createMatcher = (glob: string): ((path: string) => boolean) =>
  picomatch(glob.replace(/\/$/, '/**').replace(/[[\]()!+@|^$"\\]/g, '\\$&'), {
    dot: true,
    nobracket: true,
    noextglob: true,
    nonegate: true,
    windows: false,
  });
