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

/** The values of the attribute `response`, which are also the values of `data-webmcp-response`. */
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
