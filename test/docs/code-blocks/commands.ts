import { Command } from 'commander';
import { program as gatewayProgram } from '../../../gateway/src/cli/cli.js';
import { program } from '../../../src/cli/cli.js';
import type { CliContext } from '../../../src/cli/program.js';
import { readFileSync } from 'node:fs';
import { root } from './blocks.js';

const context: CliContext = { ...process, cwd: process.cwd() };
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The options of each command, such as `webmcp-forms lint`. */
const optionsOf = new Map(
  [program, gatewayProgram].flatMap(({ name, commands }) =>
    commands.map((add) => {
      const command = add(new Command(name), context, () => undefined);
      const options = command.options.flatMap(({ long, short }) => [long, short]);
      return [`${name} ${command.name()}`, new Set<string | null | undefined>([...options, '--help'])] as const;
    }),
  ),
);

/** The problems of the lines of a shell script that run the programs of this project. */
export const commandErrors = (code: string): readonly string[] =>
  code
    .replaceAll(/\\\n\s*/g, ' ')
    .split(/\n|[|&;]+ /)
    .map((line) => line.replace(/ # .*/, '').trim())
    .flatMap((line) => [...programErrors(line), ...scriptErrors(line)]);

function programErrors(line: string): readonly string[] {
  const [, name = '', rest = ''] = /^(?:npx (?:-y )?)?(webmcp-forms|webmcp-gateway) (.*)$/.exec(line) ?? [];
  if (name === '') return [];
  const [command = '', ...words] = rest.split(/\s+/);
  if (command.startsWith('--')) return ['--help', '--version'].includes(command) ? [] : [`${line}: unknown ${command}`];
  const options = optionsOf.get(`${name} ${command}`);
  if (!options) return [`${line}: unknown command ${command}`];
  return words
    .filter((word) => /^-[-a-z]/.test(word))
    .map((word) => word.replace(/=.*/s, ''))
    .filter((word) => !options.has(word))
    .map((word) => `${line}: unknown option ${word}`);
}

function scriptErrors(line: string): readonly string[] {
  const [, name] = /^npm run ([\w:]+)/.exec(line) ?? [];
  return name === undefined || name in scripts ? [] : [`${line}: package.json has no script ${name}`];
}
