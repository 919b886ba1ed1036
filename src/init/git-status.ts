import { execFile } from 'node:child_process';

/**
 * The files of a folder with changes that are not committed, also those that are not tracked.
 *
 * @returns an empty list outside of a git repository, or without git
 */
export const uncommittedFiles = (folder: string): Promise<readonly string[]> =>
  new Promise((resolve) => {
    // A repository can name a program as its file system monitor, which git status would start.
    const args = ['-c', 'core.fsmonitor=false', '--no-optional-locks', 'status', '--porcelain', '-z', '--', '.'];
    execFile('git', args, { cwd: folder, maxBuffer: 100_000_000 }, (error, stdout) => {
      resolve(error ? [] : namesIn(stdout));
    });
  });

/** https://git-scm.com/docs/git-status#_porcelain_format_version_1 The old name of a renamed file is a field of its own. */
function namesIn(status: string): readonly string[] {
  const names: string[] = [];
  const fields = status.split('\0').values();
  for (const field of fields) {
    if (field === '') continue;
    names.push(field.slice(3));
    if (/[RC]/.test(field.slice(0, 2))) fields.next();
  }
  return names;
}
