import type { SiteKind } from './detect-site.js';

/** Folders that builds, package managers and tests write. */
const generated = new Set(
  'dist build out coverage vendor venv env target tmp storage bower_components site-packages __pycache__'.split(' '),
);

/** Whether people edit a file, as far as its path shows. A static site can be in any folder. */
export function isSiteFile(path: string, kind: SiteKind): boolean {
  const folders = path.split(/[\\/]/).slice(0, -1);
  if (folders.includes('node_modules')) return false;
  if (kind === 'vite' && folders[0] === 'public') return false; // copied as it is, without the script
  return kind === 'static' || !folders.some((folder) => generated.has(folder));
}
