import * as fc from 'fast-check';

const names = ['a', 'b', 'c', '__proto__', 'constructor', 'elements', 'submit', 'parentNode', 'attributes', ' ', ''];
const ids = ['a', 'b', 'f', 'g', ''];
const inputTypes = [
  'text',
  'hidden',
  'checkbox',
  'radio',
  'submit',
  'image',
  'date',
  'number',
  'file',
  'password',
  'x',
];

const attribute = (name: string, values: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...values).map((value) => ` ${name}="${value}"`);

const maybe = (part: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.oneof(fc.constant(''), part);

const join = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> => fc.tuple(...parts).map((all) => all.join(''));

/** Attributes that associate elements. */
const common = join(
  maybe(attribute('id', ids)),
  maybe(attribute('name', names)),
  maybe(attribute('form', ids)),
  maybe(fc.constantFrom(' disabled', ' readonly', ' required', ' hidden', ' multiple', ' value=v', ' list=a')),
  maybe(fc.constantFrom(' aria-labelledby="a b"', ' aria-describedby=f', ' toolparamdescription=D', ' role=group')),
);

const plain = [
  'div',
  'p',
  'span',
  'b',
  'i',
  'a',
  'h1',
  'ul',
  'li',
  'dialog',
  'details',
  'address',
  'center',
  'nobr',
  'body',
  'main',
];
const tables = ['table', 'tbody', 'tr', 'td', 'th', 'caption', 'colgroup', 'col'];
const forms = [
  'form',
  'form',
  'form',
  'fieldset',
  'legend',
  'label',
  'button',
  'output',
  'object',
  'textarea',
  'datalist',
];
const foreign = ['svg', 'foreignObject', 'math', 'mi', 'annotation-xml', 'title', 'desc'];
const templates = ['template', 'noscript', 'script', 'style', 'iframe', 'template shadowrootmode=open'];
const options = ['option', 'optgroup', 'hr'];

const openTag = (tags: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...tags), common).map(([tag, attributes]) => `<${tag}${attributes}>`);
const closeTag = (tags: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...tags).map((tag) => `</${tag.split(' ')[0] as string}>`);
const tag = (tags: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 3, arbitrary: openTag(tags) }, { weight: 2, arbitrary: closeTag(tags) });

const form = fc
  .tuple(fc.constantFrom(' id=f', ' id=g', ''), common)
  .map(([id, attributes]) => `<form${id} toolname=t tooldescription=d${attributes}>`);
const input = fc.tuple(fc.constantFrom(...inputTypes), common).map(([type, rest]) => `<input type=${type}${rest}>`);
const label = fc.constantFrom(...ids, undefined).map((id) => (id === undefined ? '<label>' : `<label for="${id}">`));
const text = fc.constantFrom('x', ' y ', '\n', '&amp;', '&nbsp;', '\u0000', 'é');

/** A well-formed select: parsers differ in what else it may contain (parserDifferences). */
const select = fc
  .tuple(common, fc.array(fc.oneof(tag(options), text), { maxLength: 6 }))
  .map(([attributes, content]) => `<select${attributes}>${content.join('')}</select>`);

/** Pieces of markup in random order. */
export const tagSoup: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: form },
      { weight: 5, arbitrary: input },
      { weight: 2, arbitrary: label },
      { weight: 2, arbitrary: text },
      { weight: 4, arbitrary: tag(plain) },
      { weight: 3, arbitrary: tag(tables) },
      { weight: 5, arbitrary: tag(forms) },
      { weight: 1, arbitrary: tag(foreign) },
      { weight: 1, arbitrary: tag(templates) },
      { weight: 2, arbitrary: fc.oneof(select, tag(options)) },
    ),
    { maxLength: 40 },
  )
  .map((pieces) => `<!doctype html><body>${pieces.join('')}`);
