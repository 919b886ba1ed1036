import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { findViolation } from './floors.mjs';

const isType = (node) => node.type === 'TSImportType' || [node.importKind, node.exportKind].includes('type');

const floorsRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = relative(join(import.meta.dirname, '..'), context.filename)
      .split(sep)
      .join('/');
    const check = (node) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string') return;
      const kind = isType(node) ? 'type' : node.type === 'ImportExpression' ? 'lazy' : 'static';
      const message = findViolation(file, specifier, kind);
      if (message) context.report({ node: node.source, message });
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

const statement = /^(?:import|export)\s(?!type\s)(?:[^;'"]*\sfrom\s)?'(\.[^']+)'/gm;
const expression = /(?<!typeof )\bimport\('(\.[^']+)'\)(?!\.[A-Z])/g;
const valuesByFile = new Map();

/** The modules whose values a module imports: statically or with `import()`. */
function valuesOf(file) {
  if (!valuesByFile.has(file)) {
    const text = readFileSync(file, 'utf8');
    const specifiers = [statement, expression].flatMap((pattern) =>
      [...text.matchAll(pattern)].map(([, name]) => name),
    );
    valuesByFile.set(file, specifiers.map((specifier) => sourceOf(file, specifier)).filter(existsSync));
  }
  return valuesByFile.get(file);
}

const sourceOf = (file, specifier) => join(dirname(file), specifier).replace(/\.js$/, '.ts');

function findRoute(from, to) {
  const routes = [[from]];
  const seen = new Set(routes[0]);
  for (const route of routes) {
    const last = route.at(-1);
    if (last === to) return route;
    for (const next of valuesOf(last).filter((file) => !seen.has(file))) {
      seen.add(next);
      routes.push([...route, next]);
    }
  }
  return undefined;
}

/** Reports an `import()` that closes a cycle. `import/no-cycle` finds the cycles of static imports only. */
const lazyCycleRule = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    ImportExpression({ source }) {
      if (!source.value?.startsWith?.('.')) return;
      const route = findRoute(sourceOf(context.filename, source.value), context.filename);
      if (!route) return;
      const names = [context.filename, ...route].map((file) => relative(context.cwd, file));
      context.report({ node: source, message: `This import closes a cycle: ${names.join(' -> ')}.` });
    },
  }),
};

export default { meta: { name: 'repository' }, rules: { floors: floorsRule, 'lazy-cycle': lazyCycleRule } };
