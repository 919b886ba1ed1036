import { Option } from 'commander';
import { repeatable } from 'webmcp-forms/cli';

export const policyOptions = (): readonly Option[] => [
  new Option('--config <file>', "the operator's headers and values, hidden from clients"),
  new Option('--client-secrets', 'also serve forms with required secrets, which clients send in their config'),
  new Option('--autosubmit-only', 'serve only forms with toolautosubmit'),
  new Option('--read-forms', 'also serve read_NAME for each tool, which returns the current values of its form'),
  repeatable('--continue <glob>', 'a path whose forms a session may submit next, such as /imports/** (repeatable)'),
  repeatable('--origin <origin>', 'another origin that forms may be submitted and redirected to (repeatable)'),
];
