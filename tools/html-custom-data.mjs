import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const page = 'docs/reference/attributes.md';
const controls = ['input', 'select', 'textarea', 'button', 'fieldset', 'option'];

/** The tags of the attributes in each section of the page. Attributes of any element have no tags. */
const sections = {
  'On a form': () => ['form'],
  'On controls and groups': (name) => (name === 'toolparamdescription' ? controls : []),
  'On any element': () => [],
  'On the script': () => ['script'],
};

/** The rows of the first table of a section. */
function rowsOf(text, section) {
  const start = text.indexOf(`\n## ${section}\n`);
  const rows = text
    .slice(start)
    .split('\n\n')
    .find((block) => block.startsWith('| '))
    ?.split('\n')
    .slice(2);
  if (start < 0 || !rows)
    throw new Error(`${page} has no table in the section "${section}". Correct tools/html-custom-data.mjs.`);
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const withoutLinks = (text) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');

/** The values that a cell lists as code spans. The cell `none` stands for an attribute without a value. */
function valuesOf(cell) {
  const values = [...cell.matchAll(/`([\w-]+)`/g)].map(([, value]) => value);
  const isList = /^(?:`[\w-]+`(?:, | or |$))+$/.test(cell);
  return isList ? { values: values.map((name) => ({ name })) } : cell === 'none' ? { valueSet: 'v' } : {};
}

const urlOf = (path) => {
  const { homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return `${homepage.replace(/#.*$/, '')}/blob/main/${path}`;
};

/** The attributes of a section. Several rows of an attribute describe it on different elements. */
function attributesOf(text, section) {
  const found = new Map();
  for (const [first, second, meaning] of rowsOf(text, section)) {
    const name = first.replaceAll('`', '');
    const before = found.get(name);
    const isElement = section === 'On controls and groups';
    const line = withoutLinks(isElement ? `- ${second}: ${meaning}` : meaning);
    if (before) before.description.value += `\n${line}`;
    else
      found.set(name, {
        name,
        description: { kind: 'markdown', value: line },
        ...(!isElement && valuesOf(second)),
        references: [{ name: 'webmcp-forms', url: urlOf(page) }],
      });
  }
  return [...found.values()].flatMap(withPrefix);
}

/**
 * The spellings of an attribute. Each attribute that begins with `tool`, except `toolparamschema`, can have the prefix
 * `data-`.
 */
const withPrefix = (attribute) =>
  attribute.name.startsWith('tool') && attribute.name !== 'toolparamschema'
    ? [attribute, { ...attribute, name: `data-${attribute.name}` }]
    : [attribute];

/** An attribute of an element, from its type in the custom elements manifest. */
function elementAttribute({ name, type, description }) {
  const values = [...(type?.text ?? '').matchAll(/["']([\w-]+)["']/g)].map(([, value]) => ({ name: value }));
  return {
    name,
    description,
    ...(values.length > 0 && { values }),
    ...(type?.text === 'boolean' && { valueSet: 'v' }),
  };
}

const elementTags = (manifest) =>
  manifest.modules
    .flatMap(({ declarations }) => declarations.filter(({ tagName }) => tagName))
    .map(({ tagName, description, attributes = [] }) => ({
      name: tagName,
      description: { kind: 'markdown', value: description },
      attributes: attributes.filter((attribute) => attribute.description).map(elementAttribute),
      references: [{ name: 'webmcp-forms', url: urlOf('docs/reference/elements-api.md') }],
    }));

/**
 * The attributes and elements for editors, as text: https://github.com/microsoft/vscode-custom-data
 *
 * @param elements - the custom elements manifest, as text
 */
export function htmlCustomData(elements) {
  const text = readFileSync(join(root, page), 'utf8');
  const tags = new Map();
  const globalAttributes = [];
  for (const [section, tagsOf] of Object.entries(sections))
    for (const attribute of attributesOf(text, section)) {
      const names = tagsOf(attribute.name.replace(/^data-(?=tool)/, ''));
      if (names.length === 0) globalAttributes.push(attribute);
      for (const name of names) tags.set(name, [...(tags.get(name) ?? []), attribute]);
    }
  const html = [...tags].map(([name, attributes]) => ({ name, attributes }));
  const data = { version: 1.1, tags: [...html, ...elementTags(JSON.parse(elements))], globalAttributes };
  return `${JSON.stringify(data, null, 2)}\n`;
}
