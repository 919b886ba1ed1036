import type { ElementDiagnostic } from '../diagnostic.js';

type ConnectOptions = import('../../src/webtool-client/index.js').ConnectOptions;

/** The properties of a `<webmcp-tool src>`. Its attributes are read when they are needed. */
export interface WebtoolSpec {
  /** Sent with every call, but not part of any schema. */
  readonly config: unknown;
  /** Ignored with `src`. */
  readonly inputSchema: unknown;
}

/** A webtool to connect to, with its configuration. */
export interface WebtoolTarget {
  readonly document: Document;
  readonly url: string;
  readonly pins: Pick<ConnectOptions, 'version' | 'hash'>;
  /** Whether changes of a webtool that is not pinned are reported, refused or not discovered. */
  readonly trust: 'report' | 'refuse' | 'off';
  /** JSON text, so that later changes of the object have no effect. */
  readonly config: string | undefined;
}

/** Reads the webtool of an element, or returns a diagnostic. */
export function readTarget(element: HTMLElement, { config }: WebtoolSpec): WebtoolTarget | ElementDiagnostic {
  const { ownerDocument: document } = element;
  const [src = '', version, hash] = ['src', 'version', 'hash'].map((name) => element.getAttribute(name) ?? undefined);
  if (src.trim() === '' || !URL.canParse(src, document.baseURI))
    return { code: 'invalid-src', severity: 'error', message: messages.src };
  const text = config === undefined ? undefined : jsonOf(config);
  if (text === null) return { code: 'invalid-config', severity: 'error', message: messages.config };
  const trust = element.getAttribute('trust') ?? 'report';
  if (!isTrust(trust)) return { code: 'unknown-trust', severity: 'error', message: messages.trust(trust) };
  const pins = { ...(version !== undefined && { version }), ...(hash !== undefined && { hash }) };
  return { document, url: new URL(src, document.baseURI).href, pins, trust, config: text };
}

const isTrust = (value: string): value is WebtoolTarget['trust'] => /^(?:report|refuse|off)$/.test(value);

/** Whether two targets are the same webtool, regardless of the configuration. */
export const isSameWebtool = (one: WebtoolTarget | undefined, other: WebtoolTarget): boolean =>
  one?.document === other.document &&
  one.url === other.url &&
  one.trust === other.trust &&
  one.pins.version === other.pins.version &&
  one.pins.hash === other.pins.hash;

/** The JSON text of an object; null for anything else. The error is discarded, because it could quote a secret. */
function jsonOf(value: unknown): string | null {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text?.startsWith('{') ? text : null;
  } catch {
    return null;
  }
}

const ignoredAttributes =
  'name description tooltitle autosubmit for optional profile sensitive response readonly-hint consequential-hint untrusted-content-hint';

const ignoredChildren = {
  '<webmcp-param>': ':scope > webmcp-param',
  '<script>': ':scope > script[type="application/schema+json"]',
  '<form>': 'form',
};

/** Reports the parts of a definition that `src` overrides. */
export function ignoredBeside(element: HTMLElement, { inputSchema }: WebtoolSpec): readonly ElementDiagnostic[] {
  const found = [
    ...ignoredAttributes.split(' ').filter((name) => element.hasAttribute(name)),
    ...(inputSchema === undefined ? [] : ['inputSchema']),
    ...Object.entries(ignoredChildren).flatMap(([name, selector]) => (element.querySelector(selector) ? [name] : [])),
  ];
  if (found.length === 0) return [];
  return [{ code: 'ignored-with-src', severity: 'warning', message: messages.ignored(found) }];
}

const messages = {
  src: 'The src is not a valid URL. Set it to the URL of a webtool.',
  config:
    'The property config is not an object that JSON can represent. Set such an object, or undefined to remove it.',
  trust: (value: string) => `The trust "${value}" is unknown. Use report, refuse or off.`,
  ignored: (found: readonly string[]) =>
    `A <webmcp-tool> with src takes its tools from the webtool and ignores: ${found.join(', ')}. Remove them, or remove src.`,
};
