import { createRequire } from 'node:module';
import { runProgram, type CliContext, type ProgramDefinition } from 'webmcp-forms/cli';
import { addRelease } from './release.js';
import { addServe } from './serve.js';

const { version } = createRequire(import.meta.url)('webmcp-gateway/package.json') as { readonly version: string };

/** The commands of `webmcp-gateway`, from which its help and its reference are printed. */
export const program: ProgramDefinition = {
  name: 'webmcp-gateway',
  description: "Serves a site's forms as tools over HTTP, without a browser.",
  version,
  commands: [addServe, addRelease],
};

/**
 * Runs `webmcp-gateway` with its command-line arguments.
 *
 * @returns the exit code: 0 for success, 1 for findings, 2 for a failure
 */
export const run = (argv: readonly string[], context: CliContext): Promise<number> =>
  runProgram(program, argv, context);
