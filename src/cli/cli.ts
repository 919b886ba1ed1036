import { tell } from '../site/report.js';
import { version } from '../site/generator.js';
import type { Surroundings } from '../site/surroundings.js';
import { addCompile } from './commands/compile.js';
import { addDiff } from './commands/diff.js';
import { addInspect } from './commands/inspect.js';
import { addLint } from './commands/lint.js';
import { addMerge } from './commands/merge.js';
import { addTypes } from './commands/types.js';
import { runProgram, type ProgramDefinition } from './program.js';

const program: ProgramDefinition = {
  name: 'webmcp-forms',
  description: 'Turns the HTML forms of a site into WebMCP tools.',
  version,
  commands: [addCompile, addMerge, addLint, addTypes, addDiff, addInspect],
};

/** The commands of `webmcp-gateway` that were once commands of this program. */
const moved = ['serve', 'release'];

/**
 * Runs `webmcp-forms` with its arguments, without the program's own name.
 *
 * @returns the exit code: 0 for done, 1 for findings, 2 for a failure
 */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const [command = ''] = argv;
  if (!moved.includes(command)) return await runProgram(program, argv, surroundings);
  const text = `webmcp-forms: \`${command}\` moved to the package webmcp-gateway: run npx webmcp-gateway ${command}\n`;
  await tell(surroundings.stderr, text);
  return 2;
}
