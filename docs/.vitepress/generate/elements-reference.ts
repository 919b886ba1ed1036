import { elementManifest } from '../../../tools/element-manifest.mjs';
import { code, escapeTags, generatedNote, joinBlocks, table } from './markdown.js';

interface Described {
  readonly name: string;
  readonly description?: string;
  readonly type?: { readonly text: string };
  readonly default?: string;
}

interface Member extends Described {
  readonly kind: 'field' | 'method';
  readonly privacy?: string;
  readonly static?: boolean;
  readonly attribute?: string;
  readonly parameters?: readonly Described[];
  readonly return?: { readonly type?: { readonly text: string } };
}

interface Element extends Described {
  readonly tagName?: string;
  readonly attributes?: readonly Described[];
  readonly members?: readonly Member[];
  readonly events?: readonly Described[];
  readonly slots?: readonly Described[];
  readonly cssParts?: readonly Described[];
  readonly cssProperties?: readonly Described[];
  readonly cssStates?: readonly Described[];
}

interface Manifest {
  readonly modules: readonly { readonly declarations: readonly Element[] }[];
}

const introduction = `# The API of the elements

The attributes, properties, methods, events, slots, parts and custom properties of each element, from
\`webmcp-forms/custom-elements.json\`. [The elements](elements/index.md) explains how to use them.
`;

/** The page of the elements, from their custom elements manifest. */
export function elementsReference(): string {
  const { modules } = JSON.parse(elementManifest()) as Manifest;
  const elements = modules.flatMap(({ declarations }) => declarations).filter(({ tagName }) => tagName);
  return joinBlocks([generatedNote, introduction, ...elements.map(section)]);
}

const lists = [
  ['Events', 'event', 'events'],
  ['Slots', 'slot', 'slots'],
  ['Parts', 'part', 'cssParts'],
  ['Custom properties', 'property', 'cssProperties'],
  ['States', 'state', 'cssStates'],
] as const;

function section(element: Element): string {
  const { tagName = '', description = '', attributes = [], members = [] } = element;
  const isDocumented = ({ privacy, static: isStatic, name }: Member) =>
    privacy !== 'private' && privacy !== 'protected' && !isStatic && !name.startsWith('_');
  const documented = members.filter(isDocumented);
  const fields = documented.filter(({ kind, attribute }) => kind === 'field' && attribute === undefined);
  const methods = documented.filter(({ kind, description }) => kind === 'method' && description);
  return joinBlocks([
    `## \`<${tagName}>\` {#${tagName}}\n`,
    `${escapeTags(description)}\n`,
    titledTable(tagName, 'Attributes', 'attribute', attributes),
    titledTable(tagName, 'Properties', 'property', fields),
    titledTable(tagName, 'Methods', 'method', methods),
    ...lists.map(([title, kind, key]) => titledTable(tagName, title, kind, element[key] ?? [])),
  ]);
}

function titledTable(tagName: string, title: string, kind: string, items: readonly (Described | Member)[]): string {
  if (items.length === 0) return '';
  const id = `${tagName}-${title.toLowerCase().replace(' ', '-')}`;
  const hasType = items.some((item) => signatureOf(item) !== '');
  const head = [kind, ...(hasType ? ['type'] : []), 'meaning'];
  const rows = items.map((item) => [
    item.name === '' ? '(default)' : code(item.name),
    ...(hasType ? [signatureOf(item)] : []),
    meaningOf(item),
  ]);
  return joinBlocks([`### ${title} {#${id}}\n`, table(head, rows)]);
}

function signatureOf(item: Described | Member): string {
  if (!('kind' in item) || item.kind !== 'method') return item.type ? code(item.type.text) : '';
  const parameters = (item.parameters ?? []).map(({ name, type }) => `${name}: ${type?.text ?? 'unknown'}`);
  return code(`(${parameters.join(', ')}) => ${item.return?.type?.text ?? 'void'}`);
}

function meaningOf({ description = '', default: initial }: Described): string {
  const sentence = description === '' ? '' : `${description.charAt(0).toUpperCase()}${description.slice(1)}`;
  const ended = sentence === '' || sentence.endsWith('.') ? sentence : `${sentence}.`;
  return `${escapeTags(ended)}${initial === undefined || initial === "''" ? '' : ` Default: ${code(initial)}.`}`.trim();
}
