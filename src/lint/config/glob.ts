/**
 * Whether a path, separated by `/`, matches a glob: `*` and `?` within a name, `**` for any folders, `{a,b}` for one of
 * several. Everything else is itself, so that `[id].html` is a file. It takes the product of both lengths at most.
 */
export const matchesGlob = (path: string, glob: string): boolean =>
  alternatives(glob).some((each) =>
    matchesFolders(path.split('/'), each.replace(/^\.\//, '').replace(/\/$/, '/**').split('/')),
  );

const mostAlternatives = 1000;

function alternatives(glob: string): readonly string[] {
  let all = [glob];
  for (;;) {
    const next = all.flatMap(openBraces);
    if (next.length === all.length && next.every((each, index) => each === all[index])) return all;
    if (next.length > mostAlternatives) return all;
    all = next;
  }
}

/** Opens the first innermost braces with a comma. */
function openBraces(glob: string): readonly string[] {
  const braces = /\{([^{}]*,[^{}]*)\}/.exec(glob);
  if (!braces) return [glob];
  const [before, after] = [glob.slice(0, braces.index), glob.slice(braces.index + braces[0].length)];
  return (braces[1] ?? '').split(',').map((choice) => before + choice + after);
}

const matchesFolders = (path: readonly string[], glob: readonly string[]): boolean =>
  matches(
    path,
    glob,
    (part) => part === '**',
    (name, part) => matchesName(name, part),
  );

const matchesName = (name: string, glob: string): boolean =>
  matches(
    [...name],
    [...glob],
    (part) => part === '*',
    (character, part) => part === '?' || character === part,
  );

/** Matches item by item; a wildcard takes as many as it must, and only the last one is ever reconsidered. */
function matches(
  items: readonly string[],
  pattern: readonly string[],
  isWild: (part: string) => boolean,
  fits: (item: string, part: string) => boolean,
): boolean {
  let [at, part] = [0, 0];
  let wild: { at: number; readonly part: number } | undefined;
  while (at < items.length) {
    const expected = pattern[part];
    if (expected !== undefined && isWild(expected)) {
      wild = { at, part: part++ };
    } else if (expected !== undefined && fits(items[at] as string, expected)) {
      at++;
      part++;
    } else if (wild) {
      at = ++wild.at;
      part = wild.part + 1;
    } else return false;
  }
  return pattern.slice(part).every(isWild);
}
