import type { ElementDiagnostic } from '../diagnostic.js';

type ConnectOptions = import('../../src/webtool-client/index.js').ConnectOptions;

/** What a `<webmcp-tool src>` says by its properties; its attributes are read when they are needed. */
export interface WebtoolSpec {
  /** What every call carries and no model sees. */
  readonly config: unknown;
  /** Of no use with `src`. */
  readonly inputSchema: unknown;
}

/** The webtool that an element names, and what it is called with. */
export interface Wanted {
  readonly document: Document;
  readonly url: string;
  readonly pins: Pick<ConnectOptions, 'version' | 'hash'>;
  /** As JSON, so that nobody changes half of it; undefined for none. */
  readonly config: string | undefined;
}

/** Reads an element, or says why there is nothing to connect to. */
export function wantedBy(element: HTMLElement, { config }: WebtoolSpec): Wanted | ElementDiagnostic {
  const { ownerDocument: document } = element;
  const [src = '', version, hash] = ['src', 'version', 'hash'].map((name) => element.getAttribute(name) ?? undefined);
  if (src.trim() === '' || !URL.canParse(src, document.baseURI))
    return { code: 'invalid-src', severity: 'error', message: messages.src };
  const text = config === undefined ? undefined : jsonOf(config);
  if (text === null) return { code: 'invalid-config', severity: 'error', message: messages.config };
  const pins = { ...(version !== undefined && { version }), ...(hash !== undefined && { hash }) };
  return { document, url: new URL(src, document.baseURI).href, pins, config: text };
}

/** Whether two are the same webtool, whatever it is called with. */
export const isSameWebtool = (one: Wanted | undefined, other: Wanted): boolean =>
  one?.document === other.document &&
  one.url === other.url &&
  one.pins.version === other.pins.version &&
  one.pins.hash === other.pins.hash;

/** The JSON of an object; null for what has none. Why is not told: it could quote a secret. */
function jsonOf(value: unknown): string | null {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text?.startsWith('{') ? text : null;
  } catch {
    return null;
  }
}

const attributes = [
  ...['name', 'description', 'tooltitle', 'autosubmit', 'for', 'profile', 'sensitive'],
  ...['readonly-hint', 'consequential-hint', 'untrusted-content-hint'],
];

/** Tells what an element says beside `src` that does not count then. */
export function ignoredBeside(element: HTMLElement, { inputSchema }: WebtoolSpec): readonly ElementDiagnostic[] {
  const children = [...element.children].map(({ localName }) => localName);
  const found = [
    ...attributes.filter((name) => element.hasAttribute(name)),
    ...(inputSchema === undefined ? [] : ['inputSchema']),
    ...(children.includes('webmcp-param') ? ['<webmcp-param>'] : []),
    ...(element.querySelector(':scope > script[type="application/schema+json"]') ? ['<script>'] : []),
    ...(element.querySelector('form') ? ['<form>'] : []),
  ];
  if (found.length === 0) return [];
  return [{ code: 'ignored-with-src', severity: 'warning', message: messages.ignored(found) }];
}

const messages = {
  src: 'The src is no URL, so there are no tools: give the URL of a webtool.',
  config:
    'The property config is no object that can be written as JSON, so there are no tools: set one, or undefined for none.',
  ignored: (found: readonly string[]) =>
    `The tools of a <webmcp-tool> with src are those of its webtool, so these are ignored: ${found.join(', ')}. Remove them, or src.`,
};
