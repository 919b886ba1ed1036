import { describeSelector, type FormSelector } from './form-selector.js';

/** Messages about the form of a `<webmcp-tool>`, shared by the element and the reader of source text. */
export const formMessages = {
  annotated:
    'The form is a tool already, by its own toolname and tooldescription. Remove those, or this <webmcp-tool>.',
  taken:
    'Another <webmcp-tool> uses this form too, so neither is a tool. Remove one of them, or exclude the content of visitors with data-webmcp-ignore.',
  unknownControl:
    'No control of the form has the name of this <webmcp-param>. Set the name to that of the control it describes.',
  notFound: (selector: FormSelector): string =>
    `No form has ${describeSelector(selector)} in the document or shadow root of this <webmcp-tool>. ${correct(selector)}`,
  repeated: (selector: FormSelector, [first, second]: readonly string[]): string =>
    selector.length === 0
      ? `Several forms are inside, such as the ${first} and the ${second}. Set for, or ${exclude}`
      : `Several elements have ${describeSelector(selector)}, such as the ${first} and the ${second}. Rename one, or ${exclude}`,
  notForm: (selector: FormSelector): string =>
    `The element with ${describeSelector(selector)} is not a form. ${correct(selector)}`,
};

const exclude = 'exclude the content of visitors with data-webmcp-ignore.';

const correct = (selector: FormSelector): string =>
  `Correct the ${selector.map(([name]) => name).join(' and ')} attribute.`;

/** Replaces form attributes that a message names by their equivalents for a `<webmcp-tool>`. */
export const nameParamElement = (message: string): string =>
  message
    .replace('toolparamdescription', '<webmcp-param>')
    .replace(/data-webmcp-submitter(?: on the form)?/, 'the attribute submitter of the <webmcp-tool>');
