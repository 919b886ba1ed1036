import { Command, type Option } from 'commander';
import { program as gatewayProgram } from '../../../gateway/src/cli/cli.js';
import { program } from '../../../src/cli/cli.js';
import type { CliContext } from '../../../src/cli/program.js';
import { code, escapeText, fence, generatedNote, joinBlocks, table } from './markdown.js';

const context: CliContext = { ...process, cwd: process.cwd() };

const introduction = `# Command line

The package \`webmcp-forms\` contains the command \`webmcp-forms\`, and the package \`webmcp-gateway\` contains the command
\`webmcp-gateway\`. \`--help\` after a command prints its options. [Errors](../errors.md#command-line) lists the exit codes.
`;

interface CommandPage {
  readonly program: string;
  readonly command: Command;
}

const commandPages: readonly CommandPage[] = [program, gatewayProgram].flatMap(({ name, commands }) =>
  commands.map((add) => ({ program: name, command: add(new Command(name), context, () => undefined) })),
);

const overview = (): string =>
  joinBlocks([
    generatedNote,
    introduction,
    table(
      ['command', 'meaning'],
      commandPages.map(({ program, command }) => [
        `[${code(`${program} ${command.name()}`)}](${command.name()}.md)`,
        escapeText(command.description()),
      ]),
    ),
  ]);

/** The pages of all commands and options, from their declarations, by their paths in `docs/`. */
export const cliReference: Readonly<Record<string, () => string>> = {
  'reference/cli/index.md': overview,
  ...Object.fromEntries(
    commandPages.map((page) => [`reference/cli/${page.command.name()}.md`, () => commandReference(page)]),
  ),
};

const commandReference = ({ program, command }: CommandPage): string =>
  joinBlocks([
    generatedNote,
    `# ${program} ${command.name()}\n`,
    `${escapeText(command.description())}\n`,
    fence('text', `${program} ${command.name()} ${command.usage()}`),
    titledTable(
      'Arguments',
      command.registeredArguments.map((argument) => [code(argument.name()), escapeText(argument.description)]),
    ),
    titledTable(
      'Options',
      command.options.filter(({ hidden }) => !hidden).map((option) => [code(option.flags), meaningOf(option)]),
    ),
    titled('Notes', fence('text', textAfterHelp(command))),
  ]);

const titled = (title: string, block: string): string => joinBlocks([`## ${title}\n`, block]);

const titledTable = (title: string, rows: readonly (readonly string[])[]): string =>
  rows.length === 0 ? '' : titled(title, table([title.toLowerCase().replace(/s$/, ''), 'meaning'], rows));

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
