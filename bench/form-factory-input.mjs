// How bench/form-factory.mjs addresses a form as an agent does: by the labels and titles in the schema of its tool.

const words = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * The candidate whose text is the label, or else whose first sentence is the label, or else whose text begins with it.
 * Undefined if several candidates match.
 */
export function findLabel(label, candidates) {
  const wanted = words(label);
  const firstSentence = (text) => words(text.split(/\. |\.$| \(/)[0]);
  for (const isMatch of [
    (text) => words(text) === wanted,
    (text) => firstSentence(text) === wanted,
    (text) => words(text).startsWith(`${wanted} `),
  ]) {
    const matches = candidates.filter(({ label: text }) => isMatch(text ?? ''));
    if (matches.length > 0) return matches.length === 1 ? matches[0] : undefined;
  }
  return undefined;
}

/**
 * The words without spaces and without a final s, because the data writes "Life Time" and "Saving Account" for options
 * of the pages.
 */
const loosely = (text) =>
  words(text)
    .split(' ')
    .map((word) => word.replace(/s$/, ''))
    .join('');

const number = (text) => Number(text.replaceAll(',', ''));

/** Whether a title such as "$30,001 - $60,000" or "$90,001+" is a range that contains the amount. */
function isInRange(amount, title) {
  const [from, to] = (title.match(/\d[\d,]*/g) ?? []).map(number);
  return to === undefined ? title.endsWith('+') && amount >= from : amount >= from && amount <= to;
}

/** The choice whose title or value is a value of the data, or whose title is a range that contains the value. */
export function findChoice(value, choices) {
  const text = String(value);
  return (
    choices.find(({ title }) => words(title) === words(text)) ??
    choices.find((choice) => choice.value !== '' && words(choice.value) === words(text)) ??
    choices.find(({ title }) => loosely(title) === loosely(text)) ??
    (typeof value === 'number' ? choices.find(({ title }) => isInRange(value, title)) : undefined)
  );
}

export const isTrue = (value) => value === true || value === 'Yes';
export const isoDate = (value) => String(value).replace(/^(\d{4})\/(\d\d)\/(\d\d)$/, '$1-$2-$3');

/** The text of a value: the items of a list are joined by commas, as are the lines if the control has only one line. */
export const text = (value, isOneLine) =>
  Array.isArray(value) ? value.join(', ') : String(value).replaceAll('\n', isOneLine ? ', ' : '\n');

/** The titles that `portable` writes into a description, as in `in (Inside), out (Outside).` */
function titlesIn(description, values) {
  let end = 0;
  return values.map((value, index) => {
    const start = description.indexOf(`${value === '' ? '""' : value} (`, end);
    if (start < 0) return { value, title: value };
    const from = description.indexOf('(', start) + 1;
    const next = values[index + 1];
    const close = next === undefined ? description.lastIndexOf(')') : description.indexOf(`, ${next}`, from) - 1;
    end = from;
    return { value, title: description.slice(from, close) };
  });
}

function choicesOf({ anyOf, oneOf, enum: values, items, description = '' }) {
  const described = anyOf ?? oneOf;
  if (described?.every((choice) => 'const' in choice)) {
    return described.map((choice) => ({ value: choice.const, title: choice.title ?? choice.const }));
  }
  if (values) return titlesIn(description, values);
  return items ? choicesOf({ description, ...items }) : undefined;
}

/** Whether a schema asks for dates as YYYY-MM-DD. */
const isDate = ({ format, description = '' }) => format === 'date' || description.includes('YYYY-MM-DD');
const isOneLine = ({ pattern }) => pattern !== undefined && !new RegExp(pattern, 'u').test('A\nB');

function convert(value, schema) {
  if (value.content !== undefined) return schema.type === 'object' ? value : undefined;
  if (schema.type === 'boolean') return isTrue(value);
  if (schema.type === 'number' || schema.type === 'integer') return Number(value);
  if (isDate(schema)) return isoDate(value);
  const choices = choicesOf(schema);
  if (schema.type === 'array') return value.map((item) => findChoice(item, choices)?.value);
  return choices ? findChoice(value, choices)?.value : text(value, isOneLine(schema));
}

/**
 * The input of a tool for values by label. A label addresses the parameter whose description is that label, or begins
 * with it; a value becomes the choice with that title, a date in the notation of the schema, a list or a text. The
 * names of parameters are not used.
 */
export function inputFor(gold, { properties = {} }) {
  const candidates = Object.entries(properties).map(([name, schema]) => ({ name, schema, label: schema.description }));
  const input = {};
  const unaddressed = [];
  for (const [label, value] of Object.entries(gold)) {
    const found = findLabel(label, candidates);
    const converted = found && convert(value, found.schema);
    if (converted === undefined || (Array.isArray(converted) && converted.includes(undefined))) unaddressed.push(label);
    else input[found.name] = converted;
  }
  return { input, unaddressed };
}
