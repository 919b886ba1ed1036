import { compileHtml } from '../../../src/site/compile-html.js';
import { controlExamples, type ControlExample } from './control-examples.js';
import { code, fence, generatedNote, joinBlocks } from './markdown.js';

const introduction = `# Profiles

A profile decides how a tool expresses the constraints of a form in JSON Schema.

| profile    | schema                                                                                           | default for |
| ---------- | ------------------------------------------------------------------------------------------------ | ----------- |
| \`chromium\` | What Chromium 156 emits, value for value and in its key order, including its bugs                | live pages  |
| \`precise\`  | Everything that HTML defines: the schema accepts what the form does, with listed exceptions      | manifests   |
| \`portable\` | The keywords that strict MCP clients and model APIs accept; the rest is part of the descriptions | the gateway |

The option \`profile\`, the flag \`--profile\` and the attribute \`data-profile\` of the script choose another one. In a browser with
native WebMCP, the browser itself registers forms with \`toolname\`, with its own schemas.

\`sensitive\`, \`--sensitive\` and \`data-sensitive\` (\`include\` or \`exclude\`) decide whether passwords, payment data and one-time codes
become parameters. The default is \`include\` in \`chromium\`, as in the browser, and \`exclude\` in the other profiles.

The sections show each type of control and the schema of its parameter. A control is \`required\` in the schema of the tool if the
form requires it. Disabled and read-only controls, controls without a name, and buttons without a name are not parameters.
`;

/** The page of the profiles, with the schemas that the compiler emits for an example of each control type. */
export const profilesReference = (): string =>
  joinBlocks([generatedNote, introduction, ...controlExamples.map(section)]);

const profiles = ['chromium', 'precise', 'portable'] as const;

const section = (example: ControlExample): string =>
  joinBlocks([
    `## ${example.title}\n`,
    ...(example.note ? [`${example.note}\n`] : []),
    fence('html', example.html),
    ...schemasOf(example.html),
  ]);

/** The schemas of the parameters. Profiles with equal schemas share a block. */
function schemasOf(html: string): readonly string[] {
  const texts = new Map<string, string[]>();
  for (const profile of profiles) {
    const text = parametersIn(html, profile);
    texts.set(text, [...(texts.get(text) ?? []), profile]);
  }
  return [...texts].map(([text, names]) =>
    joinBlocks([
      `${names.map(code).join(', ')}:\n`,
      text === '{}' ? 'The control is not a parameter.\n' : fence('json', text),
    ]),
  );
}

function parametersIn(html: string, profile: (typeof profiles)[number]): string {
  const page = `<form toolname="example" tooldescription="Shows a control.">${html}<button>Send</button></form>`;
  const [tool] = compileHtml(page, { path: 'example.html', profile }).tools;
  if (!tool) throw new Error(`The example is not a tool: ${html}`);
  return JSON.stringify(tool.inputSchema.properties ?? {}, undefined, 2);
}
