const columns = 80;

function wrap(words, indent) {
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1);
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent + longer.length > columns) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

const choicesOf = ({ enum: values, anyOf, oneOf } = {}) => (values ?? anyOf ?? oneOf)?.length;

function typeOf(schema) {
  if (choicesOf(schema)) return `one of ${choicesOf(schema)}`;
  if (choicesOf(schema.items)) return `any of ${choicesOf(schema.items)}`;
  return schema.items ? `list of ${typeOf(schema.items)}` : schema.type;
}

function parametersOf({ properties = {}, required = [] }) {
  const names = Object.entries(properties);
  return names.map(([name, schema], index) => {
    const mark = required.includes(name) ? '' : '?';
    return `${name}${mark}: ${typeOf(schema)}${index < names.length - 1 ? ',' : ''}`;
  });
}

function* toolLines(tool, indent) {
  yield `  ${tool.name.padEnd(indent - 2)}${wrap(tool.description.split(/\s+/), indent)}`;
  const parameters = parametersOf(tool.inputSchema);
  if (parameters.length > 0) yield ' '.repeat(indent) + wrap(parameters, indent);
}

/** A table of the tools of a manifest by page, 80 columns wide. Optional parameters have a question mark. */
export function toolTable({ pages }) {
  const shown = pages.filter(({ tools }) => tools.length > 0);
  const names = shown.flatMap(({ tools }) => tools.map(({ name }) => name.length));
  const indent = Math.min(32, Math.max(0, ...names) + 4);
  const lines = shown.flatMap(({ path, tools }) => [
    path,
    ...tools.flatMap((tool) => [...toolLines(tool, indent)]),
    '',
  ]);
  return ['', ...lines].join('\n');
}
