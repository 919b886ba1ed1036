import { Option } from 'commander';

export const oauthOptions = (): readonly Option[] => [
  new Option('--oauth-issuer <url>', 'an authorization server whose access tokens are accepted; requires --public-url'),
  new Option('--oauth-audience <name>', 'the audience of access tokens (default: --public-url, or mcp below it)'),
  new Option('--oauth-read-scope <name>', 'the scope for lists and read-only actions (default: forms:read)'),
  new Option('--oauth-submit-scope <name>', 'the scope for all actions (default: forms:submit)'),
];
