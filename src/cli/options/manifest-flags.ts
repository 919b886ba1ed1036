import { Option, type Command } from 'commander';
import { profileNames } from './choices.js';

/** The flags of the commands that write a manifest. */
export const addManifestFlags = (command: Command): Command =>
  command
    .addOption(
      new Option('--profile <profile>', 'which schemas the tools get').choices(profileNames).default('precise'),
    )
    .addOption(
      new Option(
        '--sensitive <choice>',
        'whether passwords, payment data and one-time codes become parameters (default: include in chromium, else exclude)',
      ).choices(['include', 'exclude']),
    )
    .option('--name <name>', "the manifest's name (default: the nearest package.json's, or site)")
    .option('--description <text>', "its description (default: the nearest package.json's, or none)")
    .option('--manifest-version <version>', "its version (default: the nearest package.json's, or 0.0.0)")
    .option('--strict', 'exit with 1 when there is an error among the diagnostics; the result is written all the same')
    .option('--out <file>', 'write to a file, at once and whole, instead of standard output');
