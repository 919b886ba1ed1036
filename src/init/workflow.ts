import { version } from '../site/generator.js';

export const workflowFile = '.github/workflows/webmcp.yml';

/** A workflow of GitHub Actions that fails if the manifest is out of date, or a page has an error. */
export const workflowText = (pages: string): string => `name: WebMCP
on: [push, pull_request]
permissions:
  contents: read
jobs:
  tools:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npx --yes webmcp-forms@${version} compile --check --out webmcp.json ${pages}
      - run: npx --yes webmcp-forms@${version} lint ${pages}
`;

/** An argument for a POSIX shell, quoted if necessary. */
export const shellWord = (text: string): string =>
  /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
