import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { ViteDevServer } from 'vite';
import type { Finding } from '../../lint/finding.js';
import { escapeAttribute } from '../../compiler/html/text.js';
import { isRecord, parseJson } from '../../json.js';
import { oneLine } from '../../site/printable.js';
import { reasonOf, UsageError } from '../../site/usage-error.js';
import type { PanelEntry, PanelOptions } from '../panel/entry.js';
import type { Problem } from '../problems.js';
import { applicableForms, applyAnnotation, type ApplicableForm } from './apply.js';

export const panelId = 'virtual:webmcp-forms/panel';

const event = 'webmcp-forms:suggestions';

/** The secret tokens of the servers, which identify requests of a server's own panel. */
const tokens = new WeakMap<object, string>();

/** The path that applies a suggestion, relative to the base of the server. Vite removes the base from request URLs. */
const applyPath = '/@webmcp-forms/apply';

/** The module of the panel in pages. Vite serves it only to allowed hosts. */
export function panelModule(config: { readonly base: string }, owner: object): string {
  const token = tokens.get(owner) ?? randomBytes(32).toString('base64url');
  tokens.set(owner, token);
  const root = dirname(createRequire(import.meta.url).resolve('webmcp-forms/package.json'));
  const code = readFileSync(join(root, 'dist/vite/panel.js'), 'utf8');
  const options: PanelOptions = { event, url: config.base + applyPath.slice(1), token };
  return `${code}\nif (import.meta.hot) showPanel(import.meta.hot, ${JSON.stringify(options)});\n`;
}

interface Item {
  readonly entry: PanelEntry;
  readonly form: ApplicableForm | undefined;
}

/** The suggestions of a dev server, which its pages show in a panel. */
export class Panel {
  readonly #server: ViteDevServer;
  readonly #items = new Map<string, readonly Item[]>();
  #count = 0;

  constructor(server: ViteDevServer) {
    this.#server = server;
    const { hot } = server.environments.client;
    hot.on(event, (_, client) => client.send(event, this.#entries()));
  }

  /** Replaces the entries of a page or a component. Omits forms that a person should submit. */
  async update(path: string, problems: readonly Problem[], findings: readonly Finding[]): Promise<void> {
    const { root } = this.#server.config;
    const shown = problems.filter((_, index) => findings[index]?.suggestion?.sensitive === undefined);
    const forms = await applicableForms(shown, root);
    const items = shown.map((problem): Item => {
      const form = forms.get(problem);
      const suggestion = findings[problems.indexOf(problem)]?.suggestion;
      return { entry: entryOf(`${++this.#count}`, problem, { root, form, suggestion }), form };
    });
    if (items.length > 0) this.#items.set(path, items);
    else if (!this.#items.delete(path)) return;
    this.#server.environments.client.hot.send(event, this.#entries());
  }

  #entries(): readonly PanelEntry[] {
    const entries = [...this.#items.values()].flat().map(({ entry }) => entry);
    const more = entries.length - maxListed;
    return more > 0 ? [...entries.slice(0, maxListed), moreEntry(more)] : entries;
  }

  /** Applies a suggestion. The request contains only its ID, so that it cannot choose the file or the text. */
  async respond(request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> {
    const { root } = this.#server.config;
    if (request.method !== 'POST' || request.url !== applyPath) return next();
    const finish = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
      response.end(text);
    };
    if (!isOwnRequest(request, tokens.get(this.#server.config)))
      return finish(403, 'Only the panel of this page can send this request.');
    const id = idIn(await readBody(request));
    const item = [...this.#items.values()].flat().find(({ entry }) => entry.id === id);
    if (!item?.form) return finish(404, 'The suggestion is outdated. Reload the page.');
    try {
      await applyAnnotation(item.form, root);
      finish(200, '');
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      finish(409, oneLine(reasonOf(error)));
    }
  }
}

/** The maximum number of entries in the panel. */
const maxListed = 200;

const moreEntry = (count: number): PanelEntry => ({
  id: '',
  severity: 'info',
  place: '',
  title: `${count} more`,
  message: 'They are listed after the others are annotated. The log contains all of them.',
  canApply: false,
});

interface Details {
  readonly root: string;
  readonly form: ApplicableForm | undefined;
  readonly suggestion: Finding['suggestion'];
}

function entryOf(id: string, { severity, message, loc, id: file, pluginCode }: Problem, details: Details): PanelEntry {
  const { root, form, suggestion } = details;
  const name = oneLine(relative(root, loc?.file ?? file) || file);
  const place = loc ? `${name}:${loc.line}:${loc.column + 1}` : name;
  const written = form?.form.insertions.map(({ text }) => text.trim()).join('\n');
  const suggested = suggestion && attributesOf(suggestion);
  const attributes = written ?? suggested;
  return {
    id,
    severity: severity === 'info' ? 'info' : 'warning',
    place,
    title: form?.form.name ?? suggestion?.toolName ?? pluginCode,
    message: form?.form.description ?? suggestion?.toolDescription ?? message.replace(/^[\w-]+: /, ''),
    ...(attributes !== undefined && { attributes }),
    canApply: form !== undefined,
  };
}

const attributesOf = ({ toolName, toolDescription }: NonNullable<Finding['suggestion']>): string =>
  `toolname="${toolName}" tooldescription="${escapeAttribute(toolDescription)}"`;

/** Whether a request is from a page of this server that has its token. */
function isOwnRequest({ headers }: IncomingMessage, token: string | undefined): boolean {
  const { host, origin, 'sec-fetch-site': site = 'same-origin', 'content-type': type } = headers;
  const isSameOrigin = origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
  const given = Buffer.from(String(headers['x-webmcp-forms-token'] ?? ''));
  const expected = Buffer.from(token ?? '');
  const isKnown = token !== undefined && given.length === expected.length && timingSafeEqual(given, expected);
  return isSameOrigin && site === 'same-origin' && type === 'application/json' && isKnown;
}

const maxBodyLength = 1000;

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) {
    body += String(chunk);
    if (body.length > maxBodyLength) return '';
  }
  return body;
}

function idIn(body: string): unknown {
  const value = parseJson(body);
  return isRecord(value) ? value.id : undefined;
}
