import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import {
  childrenOf,
  isString,
  JsxParser,
  nodeOf,
  nodesOf,
  parseModule,
  type SyntaxNode,
} from '../annotate/templates/jsx/parse-jsx.js';
import { TemplateError } from '../annotate/templates/template-error.js';
import { readTextFile } from '../site/pages/read-text.js';
import { isInside } from '../site/rewrite-file.js';
import type { PublicFolder } from './frameworks.js';

const folders = ['.', 'src', 'server', 'app'];
const maxModules = 100;
const maxBytes = 200_000;

/** Finds the folders that the modules of a server publish with `app.use(path, express.static(folder))`. */
export async function staticFolders(root: string): Promise<readonly PublicFolder[]> {
  const found: PublicFolder[] = [];
  for (const file of await serverModules(root)) {
    const code = await readTextFile(file, file, maxBytes).catch(() => '');
    if (!code.includes('static(')) continue;
    for (const { folder, url } of calls(code)) {
      const at = folder.isBesideModule ? join(dirname(file), ...folder.parts) : join(root, ...folder.parts);
      if (isInside(at, root)) found.push({ folder: relative(root, at).replaceAll('\\', '/') || '.', url });
    }
  }
  return found;
}

async function serverModules(root: string): Promise<readonly string[]> {
  const lists = folders.map(async (folder) => {
    const names = await readdir(join(root, folder)).catch((): string[] => []);
    return names
      .filter((name) => /\.[cm]?[jt]s$/.test(name))
      .sort()
      .map((name) => join(root, folder, name));
  });
  return (await Promise.all(lists)).flat().slice(0, maxModules);
}

interface StaticCall {
  readonly url: string;
  readonly folder: { readonly parts: readonly string[]; readonly isBesideModule: boolean };
}

function calls(code: string): readonly StaticCall[] {
  try {
    return [...callsIn(parseModule(JsxParser, code))];
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}

function* callsIn(node: SyntaxNode): Generator<StaticCall> {
  const middleware = isMethodCall(node, 'use') ? nodesOf(node.arguments) : [];
  const [first] = middleware;
  for (const call of middleware.flatMap(staticCallsIn)) {
    const [path] = nodesOf(call.arguments);
    const parts = path ? stringsIn(path) : [];
    if (!path || parts.length === 0) continue;
    const url = first && isString(first) ? `/${first.value}/`.replaceAll(/\/{2,}/g, '/') : '/';
    yield { url, folder: { parts, isBesideModule: isBesideModule(path) } };
  }
  for (const child of childrenOf(node)) yield* callsIn(child);
}

/** Also finds calls in type assertions and other functions. */
const staticCallsIn = (node: SyntaxNode): readonly SyntaxNode[] =>
  isMethodCall(node, 'static') ? [node] : childrenOf(node).flatMap(staticCallsIn);

function isMethodCall(node: SyntaxNode, method: string): boolean {
  const property = nodeOf(nodeOf(node.callee)?.property);
  return node.type === 'CallExpression' && property?.name === method;
}

const stringsIn = (node: SyntaxNode): readonly string[] =>
  isString(node) ? [node.value] : childrenOf(node).flatMap(stringsIn);

const isBesideModule = (node: SyntaxNode): boolean =>
  node.type === 'MetaProperty' || node.name === '__dirname' || childrenOf(node).some(isBesideModule);
