import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../demo/server/app.js';
import { atEnd } from '../support/at-end.js';
import { openStore, type Store } from '../../demo/server/database.js';

export interface Visitor {
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: string | URLSearchParams | FormData, headers?: Record<string, string>): Promise<Response>;
}

export interface TestSite {
  readonly file: string;
  readonly store: Store;
  /** A visitor with a cookie. */
  readonly visitor: () => Visitor;
}

const pages = new URL('../../demo/', import.meta.url);

/** A Saturday, at noon in the restaurant; the next Monday is 2026-06-08. */
const now = new Date('2026-06-06T12:00+02:00');

const template = (file: string): Promise<string | undefined> => {
  try {
    return Promise.resolve(readFileSync(new URL(file, pages), 'utf8'));
  } catch {
    return Promise.resolve(undefined);
  }
};

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'osteria-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'osteria.sqlite');
}

/** The site with a new or an existing database. */
export function openSite(file = temporaryFile(), time = now): TestSite {
  const store = openStore(file);
  atEnd(() => store.close());
  const app = createApp({ store, template, now: () => time });
  const visitor = (): Visitor => {
    let cookie = '';
    const send = async (path: string, init: RequestInit): Promise<Response> => {
      const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) };
      const response = await app.fetch(new Request(`http://localhost${path}`, { ...init, headers }));
      cookie = response.headers.get('set-cookie')?.replace(/;.*/s, '') ?? cookie;
      return response;
    };
    return {
      get: (path, headers = {}) => send(path, { headers }),
      post: (path, body, headers = {}) => send(path, { method: 'POST', body, headers }),
    };
  };
  return { file, store, visitor };
}

export const form = (values: Readonly<Record<string, string>>): URLSearchParams => new URLSearchParams(values);

export const visit = {
  ...{ date: '2026-06-10', time: '19:30', guests: '4', area: 'counter', name: 'Ada', email: 'ada@example.com' },
};

/** The location of a redirect. */
export const place = (response: Response): string => response.headers.get('location') ?? '';

export const jsonLdOf = (html: string): unknown =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');
