import { posix } from 'node:path';

const pure = [
  'src/group-by.ts',
  'src/lazy.ts',
  'src/json.ts',
  'src/json-schema.ts',
  'src/linear-pattern.ts',
  'src/tool-name.ts',
  'src/visible-text.ts',
];
const floor0 = [...pure, 'src/webmcp.ts', 'src/platform'];
const page = [...floor0, 'src/compiler'];
const lower = [...page, 'src/parse5'];
const site = [...lower, 'src/site'];
const portableHttp = ['addresses', 'body', 'client', 'cookies', 'deadline'];
const lint = [...site, 'src/wording', 'src/suggest', 'src/lint'];

const gateway = (...names) => names.map((name) => `gateway/src/${name}`);
const basis = ['webmcp-forms/headless', 'webmcp-forms/client', ...gateway('gateway-error.ts')];
const manifests = [...basis, ...gateway('manifest.ts')];
const http = [...basis, ...gateway('concurrency', 'http')];
const call = gateway('submit-form.ts', 'upstream');
const calls = [...manifests, ...http, ...call, ...gateway('stores', 'settings.ts')];
const interfaces = [...calls, ...gateway('request.ts', 'run-action.ts', 'webtools')];
const server = [...interfaces, ...gateway('mcp', 'node')];

const nothing = /^$/;
const portable = /^(?!node:|(?:undici|pino|ioredis)$)/;

/**
 * The allowed imports of each room, which is a folder or a file. Every row whose `rooms` contain a file applies to the file.
 *
 * - `imports`: the rooms of this repository that the room may import, besides itself.
 * - `lazy`: the rooms and packages that it may import only with `import()` or as types.
 * - `types`: the rooms that it may import only as types.
 * - `packages`: a pattern of the packages and `node:` modules that it may import. The default is all.
 */
export const floors = [
  { rooms: pure, imports: pure, packages: nothing },
  { rooms: ['src/webmcp.ts', 'src/platform'], imports: floor0, packages: nothing },
  { rooms: ['src/compiler'], imports: pure, packages: nothing },
  { rooms: ['src/browser'], imports: page, packages: nothing },
  { rooms: ['src/polyfill'], imports: floor0, packages: nothing, lazy: ['ajv', 'ajv-formats'] },
  { rooms: ['src/index.ts'], imports: [...page, 'src/browser'], packages: nothing },
  { rooms: ['src/script'], imports: [...page, 'src/browser', 'src/polyfill'], packages: nothing },
  { rooms: ['src/auto.ts'], imports: ['src/script', 'src/webmcp.ts'], packages: nothing },

  { rooms: ['src/parse5'], imports: [...pure, 'src/compiler'] },
  { rooms: ['src/webtool-client'], imports: pure },
  { rooms: ['src/site'], imports: lower },
  { rooms: ['src/wording'], imports: [...pure, 'src/compiler'], packages: nothing },
  { rooms: ['src/suggest'], imports: [...pure, 'src/compiler', 'src/wording'], packages: nothing },
  { rooms: ['src/lint'], imports: lint },
  { rooms: ['src/types'], imports: site },
  { rooms: ['src/diff'], imports: site },
  { rooms: ['src/inspect'], imports: site },
  { rooms: ['src/annotate'], imports: lint },
  { rooms: ['src/init'], imports: [...lint, 'src/annotate', 'src/headless/constraints'] },
  { rooms: ['src/vite'], imports: [...lint, 'src/types', 'src/annotate'] },
  { rooms: ['src/vite/panel'], imports: [], packages: nothing },
  {
    rooms: ['src/cli'],
    imports: [...lint, 'src/crawl', 'src/types', 'src/diff', 'src/inspect', 'src/annotate', 'src/init'],
  },
  { rooms: ['src/build.ts'], imports: [...lint, 'src/crawl', 'src/types', 'src/diff'], packages: nothing },
  { rooms: ['src/http'], imports: pure },
  { rooms: portableHttp.map((name) => `src/http/${name}.ts`), imports: [...pure, 'src/http'], packages: portable },
  {
    rooms: ['src/headless'],
    imports: [...lower, 'src/http', 'src/site/pages', 'src/site/tools', 'src/webtool-client', 'src/wording'],
    packages: portable,
  },
  { rooms: ['src/crawl'], imports: [...site, 'src/http', 'src/headless'] },

  {
    rooms: ['elements'],
    imports: [
      ...pure,
      'src/index.ts',
      'src/compiler/index.ts',
      'src/compiler/html/autofill.ts',
      'src/compiler/json-error.ts',
      'src/suggest/index.ts',
      'src/platform/model-context.ts',
      'src/compiler/tool-element',
      'src/browser/dom/control-state.ts',
    ],
    lazy: ['src/webtool-client'], // pages load it only when it is used
  },

  { rooms: gateway('gateway-error.ts'), imports: basis, packages: portable },
  { rooms: gateway('manifest.ts'), imports: manifests, packages: portable },
  { rooms: gateway('concurrency'), imports: basis, packages: portable },
  { rooms: gateway('http'), imports: http, packages: portable },
  { rooms: call, imports: [...manifests, ...call], packages: portable },
  { rooms: gateway('stores'), imports: basis, packages: portable },
  {
    rooms: gateway('settings.ts'),
    imports: [...basis, ...call, ...gateway('concurrency', 'stores')],
    packages: portable,
  },
  {
    rooms: gateway('releases'),
    imports: [...manifests, 'webmcp-forms/build', 'webmcp-forms/cli', ...gateway('stores')],
    types: gateway('webtools/webtool.ts'),
    packages: portable,
  },
  {
    rooms: gateway('request.ts'),
    imports: [...http, ...gateway('settings.ts')],
    packages: portable,
  },
  {
    rooms: gateway('run-action.ts', 'continuation.ts'),
    imports: [...calls, ...gateway('continuation.ts', 'webtools/config-schema.ts')],
    types: gateway('webtools/actions.ts', 'webtools/webtool.ts'),
    packages: portable,
  },
  { rooms: gateway('webtools'), imports: [...interfaces, ...gateway('releases')], packages: portable },
  { rooms: gateway('mcp'), imports: interfaces, packages: portable },
  { rooms: gateway('index.ts'), imports: [...interfaces, ...gateway('mcp')], packages: portable },
  { rooms: gateway('node'), imports: [...server, 'webmcp-forms/node-fetch'] },
  { rooms: gateway('node/access'), imports: http, types: gateway('settings.ts') },
  { rooms: gateway('node/folder'), imports: [...basis, ...gateway('stores')] },
  { rooms: gateway('node/pages'), imports: basis },
  {
    rooms: gateway('cli'),
    imports: [...server, 'webmcp-forms/build', 'webmcp-forms/cli', ...gateway('releases')],
  },

  { rooms: ['demo'], imports: ['src/index.ts', 'webmcp-forms', 'webmcp-gateway'] },
];

const isIn = (path, room) => path === room || path.startsWith(`${room}/`);

/** The path of an imported file of this repository, or undefined for packages and `node:` modules. */
function pathOf(file, specifier) {
  if (/^webmcp-(?:forms|gateway)(?:\/|$)/.test(specifier)) return specifier;
  const path = posix.join(posix.dirname(file), specifier);
  return specifier.startsWith('.') ? path.replace(/\.js$/, '.ts') : undefined;
}

/** Whether a row allows an import. The kind is `static`, `lazy` or `type`. */
function isAllowed({ rooms, imports, packages, lazy = [], types = [] }, path, specifier, kind) {
  if (!path && (packages?.test(specifier) ?? true)) return true;
  const allowed = [rooms, imports, kind === 'static' ? [] : lazy, kind === 'type' ? types : []].flat();
  return allowed.some((room) => isIn(path ?? specifier, room));
}

/** Returns the message about an import that its room does not allow, or undefined. */
export function findViolation(file, specifier, kind) {
  const path = pathOf(file, specifier);
  const rows = floors.filter(({ rooms }) => rooms.some((room) => isIn(file, room)));
  const row = rows.find((row) => !isAllowed(row, path, specifier, kind));
  return row && `${row.rooms.join(', ')} cannot import ${path ?? specifier} (${kind}). See tools/floors.mjs.`;
}
