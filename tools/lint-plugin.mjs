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

/** Reports an `import()` that closes a cycle. `import/no-cycle` finds only cycles of static imports. */
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

const words = (text) => text.trim().split(/\s+/);
const ofNodes =
  words(`addEventListener append appendChild baseURI childNodes children cloneNode compareDocumentPosition contains
  dispatchEvent firstChild firstElementChild getRootNode hasChildNodes insertBefore isConnected lastChild lastElementChild
  nextSibling nodeName nodeType ownerDocument parentElement parentNode prepend previousSibling querySelector
  querySelectorAll removeChild removeEventListener replaceChild replaceChildren textContent`);
const ofForms =
  words(`acceptCharset action after attachShadow attributes autocomplete before blur checkValidity classList
  className click closest dataset dir elements encoding enctype focus getAttribute getAttributeNames getBoundingClientRect
  hasAttribute hidden id innerHTML innerText insertAdjacentElement insertAdjacentHTML lang length localName matches method
  name namespaceURI nextElementSibling noValidate outerHTML previousElementSibling remove removeAttribute replaceWith
  reportValidity requestSubmit reset setAttribute shadowRoot style submit tabIndex tagName target title toggleAttribute`);
const ofDocuments = words(`URL activeElement adoptNode adoptedStyleSheets body characterSet cookie createElement
  createElementNS createTextNode createTreeWalker currentScript defaultView documentElement documentURI execCommand forms
  getElementById getElementsByClassName getElementsByName getElementsByTagName getSelection hasFocus head images importNode
  links modelContext readyState referrer scripts title visibilityState`);

/**
 * The objects whose members an element can clobber: the names and types of their variables, and the members that must not be
 * read directly.
 */
const clobbered = {
  form: { name: /^form(?:Of)?$|Form(?:Of)?$/, type: /\bHTMLFormElement\b/, members: new Set([...ofNodes, ...ofForms]) },
  document: {
    name: /^(?:owner|content)?document(?:Of)?$/i,
    type: /\bDocument\b/,
    members: new Set([...ofNodes, ...ofDocuments]),
  },
};

const wrappers = new Set(['ChainExpression', 'ParenthesizedExpression', 'TSAsExpression', 'TSNonNullExpression']);
const unwrapped = (node) => (wrappers.has(node?.type) ? unwrapped(node.expression) : node);

/** The name of a value: the name of its variable, of its property, or of the function that returns it. */
function nameOf(node) {
  const value = unwrapped(node);
  if (value?.type === 'CallExpression') return nameOf(value.callee);
  if (value?.type === 'MemberExpression') return value.computed ? '' : value.property.name;
  return value?.type === 'Identifier' ? value.name : '';
}

/**
 * Reports members of forms and documents that an element of the page can clobber: see src/platform/primordials.ts. The option
 * selects the kinds of objects.
 */
const clobberedRule = {
  meta: { type: 'problem', schema: [{ type: 'array', items: { enum: Object.keys(clobbered) } }] },
  create(context) {
    const [kinds = Object.keys(clobbered)] = context.options;
    const typed = new Map(kinds.map((kind) => [kind, new Set()]));
    const reads = [];
    const isOf = (kind, name) => clobbered[kind].name.test(name) || typed.get(kind).has(name);
    return {
      Identifier({ name, typeAnnotation }) {
        const type = typeAnnotation ? context.sourceCode.getText(typeAnnotation) : '';
        const isOne = /^:[\w\s|]+$/.test(type);
        for (const kind of kinds) if (isOne && clobbered[kind].type.test(type)) typed.get(kind).add(name);
      },
      MemberExpression(node) {
        const { object, property, computed } = node;
        reads.push({ node, object, member: computed ? property.value : property.name });
      },
      VariableDeclarator({ id, init }) {
        if (id.type !== 'ObjectPattern') return;
        for (const node of id.properties) reads.push({ node, object: init, member: node.key?.name });
      },
      'Program:exit'() {
        for (const { node, object, member } of reads) {
          const kind = kinds.find((each) => clobbered[each].members.has(member) && isOf(each, nameOf(object)));
          const message = `An element of the page can clobber ${member} of a ${kind}. Read it by a function of src/platform/primordials.ts.`;
          if (kind) context.report({ node, message });
        }
      },
    };
  },
};

export default {
  meta: { name: 'repository' },
  rules: { clobbered: clobberedRule, floors: floorsRule, 'lazy-cycle': lazyCycleRule },
};
