import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AddressInfo } from 'node:net';
import { serve, type ServerType } from '@hono/node-server';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { atEnd } from '../../support/at-end.js';
import { createDocs } from '../../../demo/server/docs.js';

type Node = DefaultTreeAdapterTypes.Node;
export type Element = DefaultTreeAdapterTypes.Element;

/** The folder that `npm run docs` writes. */
export const builtSite = fileURLToPath(new URL('../../../docs-dist/', import.meta.url));

if (!existsSync(join(builtSite, 'index.html')))
  throw new Error('docs-dist does not exist. Run `npm run docs` before these tests.');

/** The paths of all pages, relative to the site. */
export const pagePaths = readdirSync(builtSite, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.html'))
  .sort();

export const readBuilt = (path: string): string => readFileSync(join(builtSite, path), 'utf8');

export interface BuiltPage {
  readonly path: string;
  readonly elements: readonly Element[];
}

const childrenOf = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : []);

function* elementsOf(node: Node): Generator<Element> {
  if ('tagName' in node) yield node;
  for (const child of childrenOf(node)) yield* elementsOf(child);
}

export const attributeOf = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((attribute) => attribute.name === name)?.value;

export const textOf = (node: Node): string => ('value' in node ? node.value : childrenOf(node).map(textOf).join(''));

export const builtPages: readonly BuiltPage[] = pagePaths.map((path) => ({
  path,
  elements: [...elementsOf(parse(readBuilt(path)))],
}));

/** Time limits of the playground, in milliseconds. */
export type TimeLimits = Partial<Record<'readMs' | 'frameMs' | 'scriptMs', number>>;

/** The time limits of tests that expect that nothing is stopped. */
const noLimits: TimeLimits = { readMs: 600_000, frameMs: 600_000, scriptMs: 600_000 };

/**
 * Serves the site as the demo does, until the tests of the file end, and returns its URL, which ends with /docs/. The
 * scripts have the given time limits instead of their own.
 */
export async function serveBuiltSite(limits = noLimits): Promise<string> {
  const docs = createDocs(builtSite);
  const fetch = async (request: Request): Promise<Response> => {
    const response = await docs.fetch(request);
    if (!/\.js$/.test(new URL(request.url).pathname)) return response;
    const script = Object.entries(limits).reduce(
      (text, [name, value]) => text.replaceAll(new RegExp(`\\b${name}:[\\de]+`, 'g'), `${name}:${value}`),
      await response.text(),
    );
    return new Response(script, { headers: { 'content-type': 'text/javascript' } });
  };
  const server = await new Promise<ServerType>((resolve) => {
    const starting = serve({ fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(starting));
  });
  atEnd(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/`;
}
