import { compileHtml } from '../../../src/site/compile-html.js';
import { controlExamples, type ControlExample } from './control-examples.js';
import { code, fence, generatedNote, joinBlocks } from './markdown.js';

const introduction = `# Profiles

A profile determines how a tool expresses the constraints of a form in JSON Schema.

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

## Descriptions

The description of a parameter is the first of these strings that the form has:

1. \`toolparamdescription\`;
2. the [accessible name](https://www.w3.org/TR/accname-1.2/): \`aria-labelledby\`, \`aria-label\`, the label, \`title\`;
3. in \`precise\` and \`portable\`, the visible text at the place of a label: the cell beside the control or above
   its column, a \`<dt>\`, a label element without a control, the text before the control or above it, the prompt of a select or
   text field, or the button of a search. A search without any of these is described as \`Search\`;
4. \`placeholder\`.

A \`title\` or \`placeholder\` comes last if it is an example of a value, such as \`you@example.com\`, if it only states whether a value is
required, if another control has the same one, or if it is the name of another control. A placeholder that is the format of a part of a
value follows the label near it: \`Date of birth (3/3): YYYY\`. A label element with the name of the control in place of its ID comes before
the \`title\`.

Text of the third kind only counts if it belongs to one control: text above two controls describes neither of them, and fields that
only separators divide, such as the parts of a date, have their number in addition: \`Date of birth (1/3)\`. As many labels in a row before as many fields are
paired. Texts in other elements that
are hidden, and in articles and quotations, describe nothing outside of them. Checkboxes and radio buttons of one name have the
description of their question. If two parameters would have the same description, the legends or headings above them come first:
\`Billing address: Street\`. Short labels of checkboxes with different names follow their question, unless that is plain text:
\`Toppings: Bacon\`. Labels of controls in a heading or legend are not part of its text. In the description of a form (\`describeForm\`), these strings have the sources \`nearby\`, with the \`origin\`
of each, \`question\` and \`section\`.

## Controls that are not parameters

Some controls are for people only. Markup decides about some of them in every profile if \`sensitive\` is \`exclude\`; names and labels
decide about the others, in \`precise\` and \`portable\`. [Lint](../rules/excluded-secret.md) and \`compile\` report the latter with the
evidence.

| control | by markup | by meaning |
| --- | --- | --- |
| secrets: passwords, payment data, one-time codes, national numbers | \`type="password"\`, autofill fields such as \`cc-number\` and \`one-time-code\` | text fields and selects with the name or label of a card number, its code or expiry, a one-time code, a PIN, a national number, a password, or, in a form that pays, a bank account. Other autofill fields, such as \`postal-code\`, decide that it is not one |
| answers of captchas | | text fields with the name or label of a captcha, and the fields of reCAPTCHA, hCaptcha and Turnstile |
| traps for programs | | optional text fields without a value that are named or labelled as traps ("leave this field empty"), that neither the keyboard nor autofill reaches (\`tabindex="-1" autocomplete="off"\`), or that are hidden and have no label. In a page, what the style sheets hide counts as well |

A \`toolparamdescription\` overrides the meaning: the control is a parameter. \`sensitive: "include"\` includes the secrets.
\`data-webmcp-ignore\` excludes any control. A form with a captcha or with a secret waits for the user in a page, and the gateway rejects
the call if the control is required. A form whose trap has a value is not submitted.
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
