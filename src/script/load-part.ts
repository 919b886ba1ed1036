import { getter, method } from '../platform/primordials.js';

/** The version of the package, which all scripts must have. Replaced by the build. */
declare const __VERSION__: string;

/** The key of the function on a script's element that receives its content. */
const receiverKey = Symbol.for('webmcp-forms.receive');

const { document, DOMException, URL } = globalThis;
const createElement = method<Document, [string], HTMLScriptElement>('Document', 'createElement');
const documentElement = getter<Document, Element>('Document', 'documentElement');
const appendChild = method<Node, [Node], Node>('Node', 'appendChild');
const remove = method<Element, [], void>('Element', 'remove');

/**
 * The element of the first script; an empty one in a shadow tree, where scripts do not know theirs. An element with the name
 * `currentScript` may clobber the property of the document.
 */
export const ownScript =
  getter<Document, HTMLScriptElement | null>('Document', 'currentScript')(document) ??
  createElement(document, 'script');
const { baseURI, src, nonce, crossOrigin, referrerPolicy, dataset } = ownScript;
const { chunk = '', integrity = '' } = dataset;

/** The URLs of the scripts, relative to the first one. */
const urls = ['webmcp-forms.agent.js', 'webmcp-forms.calls.js'].map(
  (name, index) => new URL(chunk.split(' ')[index] || name, src || baseURI).href,
);

/**
 * Returns a function that loads a script. Its element has the attributes of the element of the first script; `data-chunk`
 * names the URLs of both, and `data-integrity` their hashes.
 *
 * @param shared - the exports that the script uses
 */
export const partLoader =
  <Part>(index: 0 | 1, shared: readonly unknown[]): (() => Promise<Part>) =>
  () =>
    new Promise((resolve, reject) => {
      const script = createElement(document, 'script');
      const url = urls[index] as string;
      const fail = (reason: string): void => {
        const message = `${url} ${reason}. Publish the files of one release together, or name them in data-chunk.`;
        reject(new DOMException(message, 'NetworkError'));
      };
      const receive = (version: string, create: (shared: readonly unknown[]) => Part): void => {
        if (version === __VERSION__) resolve(create(shared));
        else fail(`has version ${version} instead of ${__VERSION__}`);
      };
      const end = (): void => {
        remove(script);
        fail('could not be loaded');
      };
      const handlers = { onload: end, onerror: end, [receiverKey]: receive };
      Object.assign(script, { nonce, integrity, crossOrigin, referrerPolicy, ...handlers });
      try {
        script.src = trusted(url);
        appendChild(documentElement(document), script);
      } catch (error) {
        fail(`could not be loaded (${String(error)})`);
      }
    });

let policy: Policy | undefined;

/** A page with Trusted Types has to allow the policy. */
function trusted(url: string): string {
  policy ??= (globalThis as WithTrustedTypes).trustedTypes?.createPolicy('webmcp-forms', {
    createScriptURL: (text) => text,
  });
  return policy?.createScriptURL(url) ?? url;
}

interface Policy {
  createScriptURL(url: string): string;
}

interface WithTrustedTypes {
  readonly trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
}
