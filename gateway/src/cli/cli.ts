import { runProgram, type ProgramDefinition, type Surroundings } from 'webmcp-forms/cli';
import { addRelease } from './release.js';
import { addServe } from './serve.js';
import { version } from './package-version.js';

const program: ProgramDefinition = {
  name: 'webmcp-gateway',
  description: "Serves a site's forms as tools over HTTP, without a browser.",
  version,
  commands: [addServe, addRelease],
};

/**
 * Runs `webmcp-gateway` with its arguments, without the program's own name.
 *
 * @returns the exit code: 0 for done, 1 for findings, 2 for a failure
 */
export const run = (argv: readonly string[], surroundings: Surroundings): Promise<number> =>
  runProgram(program, argv, surroundings);
