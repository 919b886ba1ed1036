/**
 * The parts of the command line that `webmcp-gateway` shares. Unlike the other entries, this one may change in a minor
 * version.
 */
export { changesSummary, changesText } from '../diff/change.js';
export { readTextFile } from '../site/pages/read-text.js';
export { countOf, oneLine } from '../site/printable.js';
export { isSystemError, reasonOf } from '../site/usage-error.js';
export type { AddCommand, CliContext } from './program.js';
export { integerOption, repeatable } from './options.js';
export { streamSink, writeMessage } from './output.js';
export { runProgram, type ProgramDefinition } from './program.js';
