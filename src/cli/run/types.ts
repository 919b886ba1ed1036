import { resolve } from 'node:path';
import { compilePages, type CompileFlags } from './compile.js';
import type { Manifest } from '../../site/manifest/manifest.js';
import { fileSink, streamSink } from '../../site/output.js';
import { readManifest } from '../../site/manifest/read-manifest.js';
import { tell } from '../../site/report.js';
import type { Surroundings } from '../../site/surroundings.js';
import { UsageError } from '../../site/usage-error.js';
import { types } from '../../types/types.js';

/** The options of `webmcp-forms types`. */
export interface TypesFlags extends Pick<CompileFlags, 'sensitive' | 'out'> {
  readonly profile?: CompileFlags['profile'];
}

/** Writes the declarations of the tools that paths name. */
export async function runTypes(paths: readonly string[], flags: TypesFlags, surroundings: Surroundings): Promise<void> {
  const { cwd, stdout, stderr } = surroundings;
  const { out } = flags;
  if (out !== undefined && !/\.[cm]?ts$/.test(out))
    throw new UsageError(`cannot write ${out}: TypeScript reads no file of this name: let it end in .d.ts`);
  const manifest = await manifestOf(paths, flags, surroundings);
  const sink = out === undefined ? streamSink(stdout) : fileSink(resolve(cwd, out), out);
  await sink([types(manifest)]);
  const count = new Set(manifest.pages.flatMap(({ tools }) => tools.map(({ name }) => name))).size;
  const destination = out === undefined ? '' : `, written to ${out}`;
  await tell(stderr, `webmcp-forms: the types of ${count} ${count === 1 ? 'tool' : 'tools'}${destination}\n`);
}

function manifestOf(paths: readonly string[], flags: TypesFlags, surroundings: Surroundings): Promise<Manifest> {
  const [file] = paths;
  const { profile = 'precise', sensitive } = flags;
  if (!paths.some((path) => path.endsWith('.json')))
    return compilePages(paths, { profile, ...(sensitive && { sensitive }), ...words }, surroundings);
  if (file === undefined || paths.length > 1)
    throw new UsageError('a manifest is given with other paths: give one manifest, or pages');
  if ((flags.profile ?? sensitive) !== undefined)
    throw new UsageError(`--profile and --sensitive are for pages: ${file} is compiled already`);
  return readManifest(file, surroundings.cwd);
}

/** What a version or a description is does not matter here. */
const words = { description: '', manifestVersion: '' };
