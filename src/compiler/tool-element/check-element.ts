import { toolNamePattern } from '../../tool-name.js';

type TextCode = 'missing-tool-name' | 'invalid-tool-name' | 'missing-tool-description';

/** Checks the name and the description of a `<webmcp-tool>`. Returns whether both are valid. */
export function checkToolTexts(
  name: string,
  description: string,
  report: (code: TextCode, message: string) => void,
): boolean {
  const isNamed = toolNamePattern.test(name);
  const isDescribed = description.trim() !== '';
  if (name === '') report('missing-tool-name', 'The <webmcp-tool> has no name. Add one.');
  else if (!isNamed)
    report('invalid-tool-name', 'The name is invalid. Use 1 to 128 of the characters A-Z a-z 0-9 _ - and full stop.');
  if (!isDescribed)
    report('missing-tool-description', 'The <webmcp-tool> has no description. Describe what the tool does.');
  return isNamed && isDescribed;
}

/** The values of the attribute `response`, which are those of `data-webmcp-response`. */
export const responseModes = ['page', 'fetch'] as const;

/** Reads an enumerated attribute. Reports and ignores any other value. */
export function enumeratedValue<Name extends string, Value extends string>(
  name: Name,
  text: string | null,
  values: readonly Value[],
  report: (code: `unknown-${Name}`, message: string) => void,
): Value | undefined {
  const value = values.find((each) => each === text);
  if (text && !value)
    report(`unknown-${name}`, `${name}="${text}" is unknown and ignored. Use one of ${values.join(', ')}.`);
  return value;
}

/** Messages about the form of a `<webmcp-tool>`, shared by the element and the reader of source text. */
export const formMessages = {
  annotated:
    'The form is a tool already, by its own toolname and tooldescription. Remove those, or this <webmcp-tool>.',
  taken:
    'Another <webmcp-tool> uses this form too, so neither is a tool. Remove one of them, or exclude the content of visitors with data-webmcp-ignore.',
  unknownControl:
    'No control of the form has the name of this <webmcp-param>. Set the name to that of the control it describes.',
  notFound: (id: string | null): string =>
    `No form has the ID "${id}" in the document or shadow root of this <webmcp-tool>. Correct the for attribute.`,
  repeated: (id: string | null, [first, second]: readonly string[]): string =>
    `Several elements have the ID "${id}", such as the ${first} and the ${second}. Rename one, or exclude the content of visitors with data-webmcp-ignore.`,
  notForm: (id: string | null): string => `The element with the ID "${id}" is not a form. Correct the for attribute.`,
};

/** Replaces the attribute in a message: `<webmcp-param>` describes the parameters of these forms. */
export const nameParamElement = (message: string): string => message.replace('toolparamdescription', '<webmcp-param>');
