import { applyInsertions, type Insertion } from '../annotate/tags/insertion.js';
import {
  isString,
  JsxParser,
  nodeOf,
  nodesOf,
  parseModule,
  type SyntaxNode,
} from '../annotate/templates/jsx/parse-jsx.js';
import { ifParsed } from '../annotate/templates/masked-text.js';

const plugin = 'webmcp-forms/vite';

/** The lines to add to a configuration by hand. */
export const viteLines = (options: string): readonly string[] => [
  `import { webmcpForms } from '${plugin}';`,
  `plugins: [webmcpForms(${options})]`,
];

/**
 * Adds the plugin to a Vite configuration.
 *
 * @param options - the source of the plugin's argument
 * @returns undefined if the configuration object or the array in its `plugins` cannot be read without running it
 */
export function addVitePlugin(source: string, options: string): string | undefined {
  if (source.includes(plugin)) return source;
  const program = parse(source);
  const config = program && configOf(program);
  if (!config) return undefined;
  const call = pluginInsertion(source, config, `webmcpForms(${options})`);
  if (!call) return undefined;
  const changed = applyInsertions(source, [importInsertion(source, program), call]);
  return parse(changed) ? changed : undefined;
}

const parse = (source: string): SyntaxNode | undefined => ifParsed(() => parseModule(JsxParser, source));

const maxSteps = 10;

/** The object of the default export. Follows `defineConfig`, functions that return an object, variables and type assertions. */
function configOf(program: SyntaxNode): SyntaxNode | undefined {
  const statements = nodesOf(program.body);
  let node = nodeOf(statements.find(({ type }) => type === 'ExportDefaultDeclaration')?.declaration);
  for (let step = 0; node && step < maxSteps; step++) {
    if (node.type === 'ObjectExpression') return node;
    node = unwrap(node, statements);
  }
  return undefined;
}

function unwrap(node: SyntaxNode, statements: readonly SyntaxNode[]): SyntaxNode | undefined {
  switch (node.type) {
    case 'CallExpression':
      return nodeOf(node.callee)?.name === 'defineConfig' ? nodesOf(node.arguments)[0] : undefined;
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return nodeOf(node.body);
    case 'BlockStatement':
      return returned(nodesOf(node.body));
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return nodeOf(node.expression);
    case 'Identifier':
      return variable(statements, node.name);
    default:
      return undefined;
  }
}

/** The value that a function returns if it has only variable declarations before the `return`. */
function returned(statements: readonly SyntaxNode[]): SyntaxNode | undefined {
  const last = statements.at(-1);
  const isPlain = statements.slice(0, -1).every(({ type }) => type === 'VariableDeclaration');
  return isPlain && last?.type === 'ReturnStatement' ? nodeOf(last.argument) : undefined;
}

function variable(statements: readonly SyntaxNode[], name: unknown): SyntaxNode | undefined {
  const declarations = statements.flatMap((each) => nodesOf(each.declarations));
  return nodeOf(declarations.find(({ id }) => nodeOf(id)?.name === name)?.init);
}

function pluginInsertion(source: string, config: SyntaxNode, call: string): Insertion | undefined {
  const properties = nodesOf(config.properties);
  const plugins = properties.find(({ key }) => nodeOf(key)?.name === 'plugins' || nodeOf(key)?.value === 'plugins');
  if (!plugins) return { at: config.start + 1, text: newProperty(source, config, `plugins: [${call}]`) };
  const list = nodeOf(plugins.value);
  if (list?.type !== 'ArrayExpression') return undefined;
  const last = nodesOf(list.elements).at(-1);
  if (!last) return { at: list.start + 1, text: call };
  const line = lineBreakBefore(source, last.start);
  return { at: last.end, text: `,${line === '' ? ' ' : line}${call}` };
}

function newProperty(source: string, { properties }: SyntaxNode, property: string): string {
  const [first] = nodesOf(properties);
  if (!first) return ` ${property} `;
  return `${lineBreakBefore(source, first.start) || ' '}${property},`;
}

/** The line break and the indentation before the first token of a line. */
const lineBreakBefore = (source: string, at: number): string =>
  /\r?\n[ \t]*$/.exec(source.slice(Math.max(0, at - 200), at))?.[0] ?? '';

function importInsertion(source: string, program: SyntaxNode): Insertion {
  const statements = nodesOf(program.body);
  const last = statements.findLast(({ type }) => type === 'ImportDeclaration');
  const path = nodeOf(last?.source);
  const text = path && isString(path) ? source.slice(path.start, path.end).replace(path.value, plugin) : `'${plugin}'`;
  const end = last && source.charAt(last.end - 1) !== ';' ? '' : ';';
  const line = source.includes('\r\n') ? '\r\n' : '\n';
  const statement = `import { webmcpForms } from ${text}${end}`;
  if (last) return { at: last.end, text: line + statement };
  return { at: statements[0]?.start ?? 0, text: statement + line };
}
