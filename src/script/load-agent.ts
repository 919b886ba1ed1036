import { getter, method } from '../platform/primordials.js';
import type { AgentScript } from './start.js';

/** The version of the package, which both scripts must have. Replaced by the build. */
declare const __VERSION__: string;

/** The values that the agent script imports from modules of the page script. The build declares and sets the variable. */
declare const $shared: readonly unknown[];

/** The key of the function on the element of the agent script that receives its content. */
const receiverKey = Symbol.for('webmcp-forms.receive');

const { document, DOMException, URL } = globalThis;
const createElement = method<Document, [string], HTMLScriptElement>('Document', 'createElement');
const documentElement = getter<Document, Element>('Document', 'documentElement');
const appendChild = method<Node, [Node], Node>('Node', 'appendChild');
const remove = method<Element, [], void>('Element', 'remove');

/**
 * The element of the page script, or a new element for a script in a shadow tree, where `currentScript` is null. Read with the
 * native getter, because an element with the name `currentScript` may clobber the property of the document.
 */
export const ownScript =
  getter<Document, HTMLScriptElement | null>('Document', 'currentScript')(document) ??
  createElement(document, 'script');
const { baseURI, src, nonce, crossOrigin, referrerPolicy, dataset } = ownScript;
const { chunk, integrity = '' } = dataset;

/** `data-chunk` is relative to the page script. */
const url = new URL(chunk || 'webmcp-forms.agent.js', src || baseURI).href;

/** A policy for Trusted Types can be created only once. */
let trustedUrl: string | undefined;

/**
 * Loads the agent script. Its element has the attributes of the element of the page script, and the hash of
 * `data-integrity`.
 */
export const loadAgent = (): Promise<AgentScript> =>
  new Promise((resolve, reject) => {
    const script = createElement(document, 'script');
    const fail = (reason: string): void => {
      const message = `${url} ${reason}. Publish both scripts of one release, or set data-chunk.`;
      reject(new DOMException(message, 'NetworkError'));
    };
    const receive = (version: string, create: (shared: readonly unknown[]) => AgentScript): void => {
      if (version === __VERSION__) resolve(create($shared));
      else fail(`has version ${version} instead of ${__VERSION__}`);
    };
    const end = (): void => {
      remove(script);
      fail('could not be loaded');
    };
    const handlers = { onload: end, onerror: end, [receiverKey]: receive };
    Object.assign(script, { nonce, integrity, crossOrigin, referrerPolicy, ...handlers });
    try {
      script.src = trustedUrl ??= trusted(url);
      appendChild(documentElement(document), script);
    } catch (error) {
      fail(`could not be loaded (${String(error)})`);
    }
  });

/** A page with Trusted Types has to allow the policy. */
const trusted = (url: string): string =>
  (globalThis as WithTrustedTypes).trustedTypes
    ?.createPolicy('webmcp-forms', { createScriptURL: (text) => text })
    .createScriptURL(url) ?? url;

interface Policy {
  createScriptURL(url: string): string;
}

interface WithTrustedTypes {
  readonly trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
}
