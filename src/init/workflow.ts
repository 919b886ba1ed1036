import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
      - run: ${yamlString(`npx --yes webmcp-forms@${version} compile --check --out webmcp.json ${pages}`)}
      - run: ${yamlString(`npx --yes webmcp-forms@${version} lint ${pages}`)}
`;

/** A string of YAML that is plain or, like a string of JSON, double-quoted. GitHub evaluates expressions also in names of files. */
const yamlString = (text: string): string =>
  /[^\w\s./@{},-]/.test(text) ? JSON.stringify(text.replaceAll('${{', "${{ '${{' }}")) : text;

/** Whether a folder is in a git repository, but not its root, where GitHub looks for workflows. */
export const isBelowRepository = (folder: string): boolean =>
  !existsSync(join(folder, '.git')) && parents(folder).some((each) => existsSync(join(each, '.git')));

function parents(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...parents(parent)];
}

/** A path or URL as an argument for a POSIX shell, quoted if necessary, and never an option. */
export function shellWord(text: string): string {
  const word = text.startsWith('-') ? `./${text}` : text;
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** As `shellWord`, but in double quotes, which the shell of Windows also knows, unless a POSIX shell would replace a part. */
export const portableWord = (text: string): string =>
  shellWord(text) === text || /^-|["$`\\\p{Cc}]/u.test(text) ? shellWord(text) : `"${text}"`;
