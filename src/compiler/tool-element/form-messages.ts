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
  repeated: (id: string | null, [first, second]: readonly string[]): string => {
    const [what, advice] =
      id === null ? ['forms are inside', 'Set for'] : [`elements have the ID "${id}"`, 'Rename one'];
    return `Several ${what}, such as the ${first} and the ${second}. ${advice}, or exclude the content of visitors with data-webmcp-ignore.`;
  },
  notForm: (id: string | null): string => `The element with the ID "${id}" is not a form. Correct the for attribute.`,
};

/** Replaces the attributes in a message by those of `<webmcp-tool>` and `<webmcp-param>`. */
export const nameParamElement = (message: string): string =>
  message
    .replace('toolparamdescription', '<webmcp-param>')
    .replace(/data-webmcp-submitter(?: on the form)?/, 'the attribute submitter of the <webmcp-tool>');
