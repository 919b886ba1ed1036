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

/** A plain or double-quoted YAML string. Escapes GitHub expressions, because GitHub evaluates them even in file names. */
const yamlString = (text: string): string =>
  /[^\w\s./@{},-]/.test(text) ? JSON.stringify(text.replaceAll('${{', "${{ '${{' }}")) : text;

/** Whether a folder is below the root of a git repository. GitHub reads workflows only at the root. */
export const isBelowRepository = (folder: string): boolean =>
  !existsSync(join(folder, '.git')) && parents(folder).some((each) => existsSync(join(each, '.git')));

function parents(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...parents(parent)];
}

/** A path or URL as an argument for a POSIX shell, quoted if necessary. It cannot be parsed as an option. */
export function shellWord(text: string): string {
  const word = text.startsWith('-') ? `./${text}` : text;
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Like `shellWord`, but with double quotes, which also work on Windows, unless a POSIX shell would expand a part. */
export const portableWord = (text: string): string =>
  shellWord(text) === text || /^-|["$`\\\p{Cc}]/u.test(text) ? shellWord(text) : `"${text}"`;
