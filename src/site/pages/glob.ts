// oxlint-disable-next-line typescript/triple-slash-reference -- other projects that compile this file have no other way to find it
/// <reference path="./picomatch.d.ts" />
import picomatch from 'picomatch';
import { isHidden } from './page-extensions.js';
import type { PageSearch } from './walk-folder.js';

const maxGlobLength = 1000;
const maxNameWildcards = 3;
const maxFolderWildcards = 3;
const maxBraces = 10;

/** The limit that a glob exceeds, if any. The time for matching is exponential in the number of wildcards. */
export function globExcess(glob: string): string | undefined {
  const names = glob.split('/');
  const countOf = (text: string, character: string): number => text.split(character).length - 1;
  if (names.some((name) => name !== '**' && countOf(name, '*') > maxNameWildcards))
    return `more than ${maxNameWildcards} wildcards in a name`;
  if (names.filter((name) => name === '**').length > maxFolderWildcards)
    return `more than ${maxFolderWildcards} wildcards **`;
  if (glob.length > maxGlobLength) return `more than ${maxGlobLength} characters`;
  return countOf(glob, '{') > maxBraces ? `more than ${maxBraces} braces` : undefined;
}

/** Creates a matcher with `*`, `**`, `?` and `{a,b}`. Other characters are literal, so that `[id].html` matches itself. */
export const createMatcher = (glob: string): ((path: string) => boolean) =>
  picomatch(glob.replace(/\/$/, '/**').replace(/[[\]()!+@|^$"\\]/g, '\\$&'), {
    dot: true,
    nobracket: true,
    noextglob: true,
    nonegate: true,
    windows: false,
  });

const pathOptions = { dot: false, nonegate: true, windows: false } as const;

/** Whether a PATH of the command line is a glob. A backslash escapes a wildcard. */
export const isGlob = (path: string): boolean => picomatch.scan(path, pathOptions).isGlob;

/** Splits a glob into its leading folders without wildcards, and the rest without a slash at its end. */
export function splitGlob(pattern: string): { readonly base: string; readonly rest: string } {
  const relative = pattern.replace(/^\.\/+/, ''); // the scan of `.//a` returns `/a`
  const { base, glob } = picomatch.scan(relative, pathOptions);
  return { base: base.replace(/\\(.)/g, '$1'), rest: glob.replace(/\/$/, '') };
}

/** The files that match a glob of the command line. Folders that cannot contain such files are not visited. */
export function globSearch(glob: string): PageSearch {
  const segments = glob.split('/');
  const folders = segments.map((_, index) => picomatch(segments.slice(0, index + 1).join('/'), pathOptions));
  const hasGroups = segments.some(isCutOff);
  const namesHidden = /(?:^|[/{(,|])\./.test(glob);
  return {
    isPage: picomatch(glob, pathOptions),
    isVisited: (path) => {
      const depth = path.split('/').length;
      if (hasGroups || segments.slice(0, depth).includes('**')) return namesHidden || !isHidden(path);
      return depth < segments.length && folders[depth - 1]?.(path) === true;
    },
  };
}

/** Whether a segment of a glob ends inside of a group of alternatives with a slash, such as `{a/b,c}`. */
const isCutOff = (segment: string): boolean =>
  segment.lastIndexOf('{') > segment.lastIndexOf('}') || segment.lastIndexOf('(') > segment.lastIndexOf(')');
