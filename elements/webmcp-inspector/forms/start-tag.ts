import type { Suggestion } from './suggest-forms.js';

type Attribute = readonly [name: string, value: string];

/** The start tag of a form with the suggested annotations and the attributes that it has in the page. */
export function startTag(form: Element, { name, title, description, autosubmit }: Suggestion): string {
  const added: readonly Attribute[] = [
    ['toolname', name],
    ...(title ? ([['tooltitle', title]] as const) : []),
    ['tooldescription', description],
    ...(autosubmit ? ([['toolautosubmit', '']] as const) : []),
  ];
  // A control can clobber the form's own member.
  const attributes: NamedNodeMap = Reflect.get(Element.prototype, 'attributes', form);
  const own = Array.from(attributes, (attribute): Attribute => [attribute.name, attribute.value]);
  return `<form${[...added, ...own].map(attributeText).join('')}>`;
}

const attributeText = ([name, value]: Attribute): string => (value === '' ? ` ${name}` : ` ${name}="${escape(value)}"`);

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
  '\u00a0': '&nbsp;',
  '\r': '&#13;',
};

const escape = (value: string): string =>
  value.replace(/[&"<>\u00a0\r]/g, (character) => references[character] ?? character);
