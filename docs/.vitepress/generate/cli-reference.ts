import { Command, type Option } from 'commander';
import { program as gatewayProgram } from '../../../gateway/src/cli/cli.js';
import { program } from '../../../src/cli/cli.js';
import type { CliContext } from '../../../src/cli/context.js';
import type { ProgramDefinition } from '../../../src/cli/program.js';
import { code, escapeText, fence, generatedNote, joinBlocks, table } from './markdown.js';

const context: CliContext = { ...process, cwd: process.cwd() };

const introduction = `# Command line

The package \`webmcp-forms\` contains the command \`webmcp-forms\`, and the package \`webmcp-gateway\` contains the command
\`webmcp-gateway\`. \`--help\` after a command prints its options.
`;

/** The page of all commands and options, from their declarations. */
export const cliReference = (): string =>
  joinBlocks([
    generatedNote,
    introduction,
    ...[program, gatewayProgram].flatMap((definition) => definition.commands.map((add) => section(definition, add))),
  ]);

function section({ name }: ProgramDefinition, add: ProgramDefinition['commands'][number]): string {
  const parent = new Command(name);
  const command = add(parent, context, () => undefined);
  return joinBlocks([
    `## ${name} ${command.name()}\n`,
    `${escapeText(command.description())}\n`,
    fence('text', `${name} ${command.name()} ${command.usage()}`),
    table(
      ['argument', 'meaning'],
      command.registeredArguments.map((argument) => [code(argument.name()), escapeText(argument.description)]),
    ),
    table(
      ['option', 'meaning'],
      command.options.filter(({ hidden }) => !hidden).map((option) => [code(option.flags), meaningOf(option)]),
    ),
    fence('text', textAfterHelp(command)),
  ]);
}

function meaningOf({ description, argChoices, defaultValue, defaultValueDescription }: Option): string {
  const choices = argChoices && `One of ${argChoices.map(code).join(', ')}.`;
  const initial = defaultValueDescription ?? (isPrinted(defaultValue) ? code(String(defaultValue)) : undefined);
  return [`${escapeText(capitalized(description))}.`, choices, initial && `Default: ${initial}.`]
    .filter(Boolean)
    .join(' ');
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const isPrinted = (value: unknown): boolean => ['string', 'number'].includes(typeof value);

/** The text that the help of a command prints below its options. */
function textAfterHelp(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text.slice(command.helpInformation().length);
}
