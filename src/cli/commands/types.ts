import { resolve } from 'node:path';
import { fileSink } from '../../site/output.js';
import { countOf } from '../../site/printable.js';
import type { Manifest } from '../../site/manifest/manifest.js';
import { isUrl } from '../../site/url.js';
import { UsageError } from '../../site/usage-error.js';
import type { AddCommand, CliContext } from '../program.js';
import {
  commandGroups,
  addServedOptions,
  outOption,
  pageTimeoutOption,
  profileOption,
  sensitiveOption,
} from '../options.js';
import { streamSink, writeMessage, writtenTo } from '../output.js';
import type { CompileFlags } from '../actions/compile.js';
import type { ServedFlags } from '../actions/find-inputs.js';

interface TypesFlags
  extends ServedFlags, Partial<Pick<CompileFlags, 'profile' | 'sensitive' | 'out' | 'pageTimeout'>> {}

export const addTypes: AddCommand = (program, context, setExitCode) =>
  addServedOptions(
    program
      .command('types')
      .helpGroup(commandGroups.files)
      .summary("create TypeScript declarations of the tools' inputs")
      .description('Creates a TypeScript declaration file of the inputs of tools, from pages or a manifest.')
      .argument('[PATH...]', 'a manifest (a .json file), or files, folders, globs, - or URLs as in compile'),
  )
    .addOption(profileOption('the profile of the input schemas of pages (default: "precise")'))
    .addOption(sensitiveOption())
    .addOption(pageTimeoutOption('compile'))
    .addOption(outOption())
    .addHelpText('after', help)
    .action(async (paths: readonly string[], flags: TypesFlags) => {
      if ((await writeTypes(paths, flags, context)) > 0) setExitCode(1);
    });

const help = `
The file declares an interface for each tool's input; ToolInputs, which maps the names of the tools to them; and
SiteModelContext, a type for document.modelContext with typed calls. It imports no other file and declares no globals.

Exit codes: 0 success; 1 unreadable pages; 2 wrong usage, unreadable input or unwritable output.

Examples:
  $ webmcp-forms types --out src/webmcp-tools.d.ts dist
  $ webmcp-forms types webmcp.json`;

/** Returns the number of pages that could not be compiled. */
async function writeTypes(paths: readonly string[], flags: TypesFlags, context: CliContext): Promise<number> {
  const { out } = flags;
  if (out !== undefined && !/\.[cm]?ts$/.test(out))
    throw new UsageError(
      `Cannot write ${out}: TypeScript does not read files with this name. Use a name that ends in .d.ts.`,
    );
  const { manifest, unreadable } = await manifestOf(paths, flags, context);
  const { types } = await import('../../types/types.js');
  const sink = out === undefined ? streamSink(context.stdout) : fileSink(resolve(context.cwd, out), out);
  await sink([types(manifest)]);
  const names = new Set(manifest.pages.flatMap(({ tools }) => tools.map(({ name }) => name)));
  await writeMessage(context.stderr, `webmcp-forms: the types of ${countOf(names.size, 'tool')}${writtenTo(out)}\n`);
  return unreadable;
}

async function manifestOf(
  paths: readonly string[],
  { profile, sensitive, out: _, ...served }: TypesFlags,
  context: CliContext,
): Promise<{ readonly manifest: Manifest; readonly unreadable: number }> {
  const [file = ''] = paths;
  if (!paths.some((path) => path.endsWith('.json') && !isUrl(path))) {
    const { compileManifest } = await import('../actions/compile.js');
    const metadata = { description: '', manifestVersion: '' }; // not used in the declarations
    const flags = { profile: profile ?? 'precise', ...(sensitive && { sensitive }), ...metadata } as const;
    return compileManifest(paths, { ...flags, ...served }, context);
  }
  if (paths.length > 1)
    throw new UsageError('A manifest is named together with other paths. Name one manifest, or only pages.');
  if ((profile ?? sensitive) !== undefined)
    throw new UsageError(`--profile and --sensitive are for pages, but ${file} is already compiled. Omit them.`);
  const { readManifest } = await import('../../site/manifest/read-manifest.js');
  return { manifest: await readManifest(file, context.cwd), unreadable: 0 };
}
