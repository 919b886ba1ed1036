import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  Application,
  OptionDefaults,
  ReflectionKind,
  type DeclarationReflection,
  type ProjectReflection,
  type TypeDocOptions,
} from 'typedoc';
import { fence } from './markdown.js';

/** The public entries by their sources, without `.ts`. */
const entries: Readonly<Record<string, string>> = {
  'src/index': 'webmcp-forms',
  'src/polyfill/index': 'webmcp-forms/polyfill',
  'src/compiler/index': 'webmcp-forms/compiler',
  'src/build': 'webmcp-forms/build',
  'src/vite/index': 'webmcp-forms/vite',
  'src/webtool-client/index': 'webmcp-forms/client',
  'src/webtool-client/ai-sdk': 'webmcp-forms/ai-sdk',
  'src/webtool-client/langchain': 'webmcp-forms/langchain',
  'elements/index': 'webmcp-forms/elements',
  'gateway/src/index': 'webmcp-gateway',
  'gateway/src/node/index': 'webmcp-gateway/node',
};

/** The tags of the custom elements manifest. The reference of the elements contains them. */
const elementTags = ['@tag', '@attr', '@fires', '@cssstate', '@slot', '@csspart', '@cssprop', '@cssproperty'] as const;

const options: TypeDocOptions & Readonly<Record<string, unknown>> = {
  plugin: ['typedoc-plugin-markdown'],
  name: 'API',
  readme: 'none',
  logLevel: 'Warn',
  disableSources: true,
  excludePrivate: true,
  excludeInternal: true,
  excludeExternals: true,
  groupOrder: ['Functions', 'Classes', 'Variables', '*'],
  skipErrorChecking: true, // `tsc -b` checks the sources
  blockTags: [...OptionDefaults.blockTags, ...elementTags],
  excludeTags: [...elementTags],
  entryFileName: 'index',
  outputFileStrategy: 'modules',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  useHTMLAnchors: true,
  indexFormat: 'table',
  parametersFormat: 'table',
  propertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  tableColumnSettings: { hideModifiers: true, hideInherited: true, hideOverrides: true, hideSources: true },
};

/**
 * Writes a page for each public entry, from its docstrings.
 *
 * @throws if TypeDoc finds problems in docstrings
 */
export async function writeApiReference(root: string, folder: string): Promise<void> {
  const application = await Application.bootstrapWithPlugins({
    ...options,
    entryPoints: Object.keys(entries).map((source) => join(root, `${source}.ts`)),
    tsconfig: join(root, 'docs/.vitepress/tsconfig.api.json'),
    basePath: root,
    outputs: [{ name: 'markdown', path: folder }],
  });
  const project = await application.convert();
  if (project) {
    nameEntries(project);
    nameOptions(project);
    await application.generateOutputs(project);
    for (const module of modulesOf(project)) await addImport(folder, module);
  }
  if (!project || application.logger.hasErrors() || application.logger.hasWarnings())
    throw new Error('TypeDoc found problems in the docstrings of the public entries. See its messages above.');
}

/** Names the modules as users import them. */
function nameEntries(project: ProjectReflection): void {
  for (const module of modulesOf(project))
    module.name = entries[module.name] ?? entries[`${module.name}/index`] ?? module.name;
}

/** Names the parameters that the sources destructure. */
function nameOptions(project: ProjectReflection): void {
  for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter))
    if (parameter.name === '__namedParameters') parameter.name = 'options';
}

const modulesOf = (project: ProjectReflection): readonly DeclarationReflection[] => project.children ?? [];

const valueKinds = ReflectionKind.Function | ReflectionKind.Class | ReflectionKind.Variable;

/** Adds the line that imports the functions, classes and variables of a module, below the title of its page. */
async function addImport(folder: string, { name, children = [] }: DeclarationReflection): Promise<void> {
  const names = children.filter(({ kind }) => (kind & valueKinds) !== 0).map((child) => child.name);
  if (names.length === 0) return;
  const file = join(folder, `${name}.md`);
  const text = await readFile(file, 'utf8');
  const line = `import { ${names.join(', ')} } from '${name}';`;
  const lines = line.length > 100 ? `import {\n  ${names.join(',\n  ')},\n} from '${name}';` : line;
  await writeFile(file, text.replace('\n', `\n\n${fence('js', lines)}`));
}
