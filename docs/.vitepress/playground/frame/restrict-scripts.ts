import { method } from '../../../../src/platform/primordials.js';

interface Rules {
  createHTML(text: string, type: string, sink: string): string | null;
  createScript(text: string): string;
  createScriptURL(url: string): string;
}

/** The policy that lets only the playground write the markup of a page. */
interface Policy {
  createHTML(text: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: Partial<Rules>): Policy;
}

const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes };

/**
 * Removes what the content security policy of the frame does not block: peer-to-peer connections, and `srcdoc` documents. The
 * scripts of such a document run in another realm, which has these connections and whose messages are not counted.
 */
export function restrictScripts(): void {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'XSLTProcessor'])
    Reflect.deleteProperty(window, name);
  trustedTypes?.createPolicy('default', {
    createHTML: (text, _type, sink) => (mayHaveDocument(text, sink) ? null : text),
    createScript: (text) => text,
    createScriptURL: (url) => url,
  });
}

const ownPolicy = trustedTypes?.createPolicy('playground', { createHTML: (text) => text });

/** Marks the markup of the playground, so that it is written as it is. */
export const trusted = (markup: string): string => ownPolicy?.createHTML(markup) ?? markup;

const lowerCase = method<string, [], string>('String', 'toLowerCase');
const includes = method<string, [string], boolean>('String', 'includes');
const endsWith = method<string, [string], boolean>('String', 'endsWith');

/** A tag can be written in two parts. */
const beginnings = ['<', '<i', '<if', '<ifr', '<ifra', '<ifram'];

/** Whether text sets `srcdoc`, or has a tag that can. */
function mayHaveDocument(text: string, sink: string): boolean {
  const lower = lowerCase(text);
  if (endsWith(lowerCase(sink), 'srcdoc') || includes(lower, '<iframe') || includes(lower, 'srcdoc')) return true;
  if (!includes(sink, 'write')) return false;
  for (let index = 0; index < beginnings.length; index++) if (endsWith(lower, beginnings[index] ?? '')) return true;
  return false;
}
