import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { code, fence, generatedNote, joinBlocks, table } from './markdown.js';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string }>>;
}

const file = fileURLToPath(new URL('../../../action.yml', import.meta.url));

const introduction = `# GitHub Action

The action checks the tools of a repository: that the manifest is up to date (\`compile --check\`), the forms (\`lint\`), and the types, if
a file of them is committed. Findings are annotations of the lines of a pull request, and a file in SARIF. The changes for callers since
the base of the pull request are in the summary of the job.
`;

const workflow = fence(
  'yaml',
  `
name: WebMCP
on: [push, pull_request]
permissions:
  contents: read
jobs:
  tools:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: webmcp-forms/webmcp-forms@v0
        with:
          pages: site
`,
);

const comment = fence(
  'yaml',
  `
- uses: webmcp-forms/webmcp-forms@v0
  id: tools
- if: always() && steps.tools.outputs.comment != ''
  run: gh pr comment "$NUMBER" --edit-last --create-if-none --body-file "$COMMENT"
  env:
    GH_TOKEN: \${{ github.token }}
    NUMBER: \${{ github.event.pull_request.number }}
    COMMENT: \${{ steps.tools.outputs.comment }}
`,
);

const defaultOf = (text: string): string => (text === '' || text.includes('${{') ? '' : code(text));

/** The inputs and outputs of `action.yml`. */
export function actionReference(): string {
  const { inputs, outputs } = parse(readFileSync(file, 'utf8')) as Action;
  const inputRows = Object.entries(inputs).map(([name, input]) => [
    code(name),
    input.description,
    defaultOf(input.default),
  ]);
  const outputRows = Object.entries(outputs).map(([name, { description }]) => [code(name), description]);
  return joinBlocks([
    generatedNote,
    introduction,
    workflow,
    '`npx webmcp-forms init --github` adds a workflow with the same commands, without the action.\n',
    '## Inputs\n',
    table(['input', 'meaning', 'default'], inputRows),
    '## Outputs\n',
    table(['output', 'meaning'], outputRows),
    '## A comment on the pull request\n',
    'The file has a heading and an indented block, so that names and descriptions of pages are not read as Markdown. The job needs the permission `pull-requests: write`.\n',
    comment,
  ]);
}
