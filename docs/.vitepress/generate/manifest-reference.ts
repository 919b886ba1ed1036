import schema from '../../../src/site/manifest/manifest.schema.json' with { type: 'json' };
import { compileHtml, createManifest } from '../../../src/build.js';
import { code, escapeText, fence, generatedNote, joinBlocks, table } from './markdown.js';

const examplePage = `<title>Search</title>
<form toolname="find_books" tooldescription="Finds books by words of the title." toolautosubmit action="/search">
  <label>Title <input type="search" name="title" required></label>
  <button>Search</button>
</form>`;

const introduction = `# Manifests

A manifest is a JSON file with the tools of all pages of a site. \`webmcp-forms compile\` and the Vite plugin write it, the gateway
serves it, and \`merge\`, \`diff\` and \`inspect\` read it. Its bytes depend on the pages and the options only: keys have a fixed order,
and pages are sorted by path.

Its JSON Schema is \`webmcp-forms/manifest.schema.json\`. \`readManifest\` of \`webmcp-forms/build\` reads a
manifest and checks it. There is no standard location for a manifest: choose where to publish it, or keep it in the build.

A manifest contains what execution without a browser needs, and no secrets: of hidden and sensitive controls it has the names, and
never the values. It contains no e-mail address, phone number, name or address that a control contained.
`;

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

const definitions: Readonly<Record<string, Schema>> = schema.$defs;

/** The page of the manifest format, from its JSON Schema. */
export const manifestReference = (): string =>
  joinBlocks([
    generatedNote,
    introduction,
    '## Example\n',
    fence('html', examplePage),
    fence('json', exampleManifest()),
    '## The manifest\n',
    memberTable(schema),
    ...Object.entries(definitions).map(([name, definition]) => section(name, definition)),
  ]);

function exampleManifest(): string {
  const page = compileHtml(examplePage, { path: 'search.html', profile: 'precise' });
  const manifest = createManifest([page], {
    generator: 'webmcp-forms',
    name: 'library',
    description: 'A public library.',
    version: '1.0.0',
    profile: 'precise',
  });
  return JSON.stringify(manifest, undefined, 2);
}

function section(name: string, definition: Schema): string {
  const object = definition.items ?? definition;
  return joinBlocks([`## ${name}\n`, `${escapeText(definition.description ?? '')}\n`, memberTable(object)]);
}

function memberTable({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, member]) => [
    code(name),
    typeOf(member),
    required.includes(name) ? 'yes' : '',
    escapeText(member.description ?? definitionOf(member)?.description ?? ''),
  ]);
  return table(['member', 'type', 'always', 'meaning'], rows);
}

const nameOf = ({ $ref = '' }: Schema): string => $ref.replace('#/$defs/', '');

const definitionOf = (member: Schema): Schema | undefined => definitions[nameOf(member)];

const link = (name: string): string => `[${name}](#${name})`;

function typeOf(member: Schema): string {
  if (member.$ref) return link(nameOf(member));
  if (member.items) return `list of ${typeOf(member.items)}`;
  if (member.anyOf) return member.anyOf.map(typeOf).join(' or ');
  if (member.enum) return member.enum.map((value) => code(JSON.stringify(value))).join(', ');
  if ('const' in member) return code(JSON.stringify(member.const));
  if (typeof member.additionalProperties === 'object') return `object of ${typeOf(member.additionalProperties)}`;
  return member.type ?? '';
}
