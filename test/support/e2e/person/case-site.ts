import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { openSite, type Recorded, type Site } from '../../gateway/recording.js';
import { bundleOnce } from '../../../transforms.mjs';
import type { Answer, SentRequest } from './corpus.js';

const repository = new URL('../../../../', import.meta.url);

/** The folders of the paths that pages load scripts and data from. */
const folders: Readonly<Record<string, readonly string[]>> = {
  script: ['dist/webmcp-forms.full.iife.js'],
  data: ['test/fixtures/person/data/'],
  node_modules: ['test/node_modules/', 'node_modules/'],
};

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.json': 'application/json',
};

/** The content of a file that a page loads. */
async function fileOf(path: string): Promise<Buffer | string | undefined> {
  if (/^\/test\/browser\/(?:frameworks|editors)\/[\w-]+\.ts$/.test(path)) return (await bundleOnce(path.slice(1))).body;
  const [, root = '', rest = ''] = /^\/(\w+)(?:\/(.*))?$/.exec(path) ?? [];
  const files = (folders[root] ?? []).map((folder) => new URL(folder + rest, repository));
  const file = files.find((each) => existsSync(each));
  return file && (await readFile(file));
}

const typeOf = (path: string): string => types[extname(path)] ?? 'text/javascript';

export interface ServedPage {
  readonly path: string;
  readonly html: string;
  /** The answer to its submission. @default the status 204 */
  readonly answer?: Answer | undefined;
}

/** A site with one page at a time. A request for neither the page nor a file is a submission. */
export class CaseSite {
  readonly #site: Site;
  #page: ServedPage | undefined;
  #answer: Answer | undefined;
  #receive: (request: SentRequest & Sender) => void = () => undefined;

  private constructor(site: Site) {
    this.#site = site;
  }

  static async open(): Promise<CaseSite> {
    const site = await openSite(async (request, response) => {
      const path = request.url.replace(/\?.*$/s, '');
      const file = await fileOf(path);
      if (file !== undefined) {
        const headers = { 'content-type': typeOf(path), 'cache-control': 'max-age=3600' };
        return response.writeHead(200, headers).end(file);
      }
      if (path === '/favicon.ico') return response.writeHead(404).end();
      const html = opened.#takePage(request);
      if (html !== undefined) return response.writeHead(200, { 'content-type': 'text/html' }).end(html);
      opened.#receive(sentRequest(request, site.origin));
      const { status = 204, contentType, body } = opened.#answer ?? {};
      return response.writeHead(status, contentType === undefined ? {} : { 'content-type': contentType }).end(body);
    });
    const opened: CaseSite = new CaseSite(site);
    return opened;
  }

  /** Serves a page once. `request` resolves with the next submission. */
  serve(page: ServedPage): { readonly url: string; readonly request: Promise<SentRequest & Sender> } {
    this.#page = page;
    this.#answer = page.answer;
    const request = new Promise<SentRequest & Sender>((resolve) => (this.#receive = resolve));
    return { url: this.#site.origin + page.path, request };
  }

  get origin(): string {
    return this.#site.origin;
  }

  close(): void {
    this.#site.close();
  }

  #takePage({ method, url }: Recorded): string | undefined {
    if (method !== 'GET' || url !== this.#page?.path) return undefined;
    const { html } = this.#page;
    this.#page = undefined;
    return html;
  }
}

/** The headers that name the page of a form. */
export interface Sender {
  readonly origin?: string;
  readonly referer?: string;
}

function sentRequest({ method, url, headers, body }: Recorded, siteOrigin: string): SentRequest & Sender {
  const { 'content-type': contentType, origin, referer } = headers;
  const boundary = /boundary=(\S+)/.exec(contentType ?? '')?.[1];
  const plain = (text: string): string => (boundary === undefined ? text : text.replaceAll(boundary, 'BOUNDARY'));
  const own = (header: string): string => header.replace(siteOrigin, 'ORIGIN');
  return {
    ...{ method, url },
    ...(contentType !== undefined && { contentType: plain(contentType) }),
    ...bodyOf(plain(body)),
    ...(origin !== undefined && { origin: own(origin) }),
    ...(referer !== undefined && { referer: own(referer) }),
  };
}

/** @param body - decoded as ISO-8859-1 */
function bodyOf(body: string): Pick<SentRequest, 'body' | 'bodyBase64'> {
  if (body === '') return {};
  const bytes = Buffer.from(body, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? { body: text } : { bodyBase64: bytes.toString('base64') };
}
