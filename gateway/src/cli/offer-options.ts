import { Option } from 'commander';

/** An option that can be given several times. */
export const listOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((value: string, before: readonly string[] = []) => [...before, value]);

/** What decides which of its tools a site offers: a release has them as `serve` would. */
export const offerOptions = (): readonly Option[] => [
  new Option('--config <file>', "the operator's headers and values, which no client sees"),
  new Option('--client-secrets', 'offer also what needs a secret, which each client gives in its config'),
  new Option('--autosubmit-only', 'offer only forms with toolautosubmit'),
  listOption('--origin <origin>', 'another origin that forms may be sent and redirected to; repeatable'),
];
