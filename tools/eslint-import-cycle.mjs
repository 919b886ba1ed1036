import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import ts from 'typescript';

const sourceOf = (path) =>
  [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx'), path].find((candidate) => existsSync(candidate));

const importsByFile = new Map();

/** The modules of this checkout that a module imports: static, dynamic and type-only imports. */
function importsOf(file) {
  if (!importsByFile.has(file)) {
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
    const relatives = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
    importsByFile.set(file, relatives.map((name) => sourceOf(resolve(dirname(file), name))).filter(Boolean));
  }
  return importsByFile.get(file);
}

/** The shortest chain of imports from one module to another, or undefined. */
function findRoute(from, to) {
  const routes = [[from]];
  const seen = new Set([from]);
  for (const route of routes) {
    const last = route.at(-1);
    if (last === to) return route;
    for (const next of importsOf(last).filter((file) => !seen.has(file) && /\.tsx?$/.test(file))) {
      seen.add(next);
      routes.push([...route, next]);
    }
  }
  return undefined;
}

/** Reports an import that closes a cycle. Unlike `import-x/no-cycle`, it counts type-only imports. */
const rule = {
  meta: { type: 'problem', schema: [], messages: { cycle: 'This import closes a cycle: {{route}}.' } },
  create(context) {
    const check = ({ source }) => {
      if (!source?.value?.startsWith?.('.')) return;
      const imported = sourceOf(resolve(dirname(context.filename), source.value));
      const route = imported && findRoute(imported, context.filename);
      if (!route) return;
      const names = [context.filename, ...route].map((file) => relative(context.cwd, file));
      context.report({ node: source, messageId: 'cycle', data: { route: names.join(' -> ') } });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

export default { rules: { 'import-cycle': rule } };
