import { parseUrl } from '../../platform/urls.js';
import { documentUrl, domTree, windowOf } from '../dom/dom-tree.js';
import { baseUrl } from '../dom/members.js';
import type { LiveForm } from '../forms/live-form.js';

/** An attribute of a submission: of its button, or else of the form. */
export const submissionAttribute = (
  form: Element,
  submitter: Element | null,
  name: 'action' | 'enctype' | 'method' | 'target',
): string | null => (submitter && domTree.attribute(submitter, `form${name}`)) ?? domTree.attribute(form, name);

/** The value of `data-webmcp-response`, which selects the response of a call. */
export const responseMode = ({ element, settings }: LiveForm): string | null =>
  settings.tree.attribute(element, 'data-webmcp-response');

/** The URL that a submission requests; undefined for `method=dialog` and invalid URLs. */
export function destinationOf(form: Element, submitter: Element | null): URL | undefined {
  if (submissionAttribute(form, submitter, 'method')?.toLowerCase() === 'dialog') return undefined;
  return parseUrl(submissionAttribute(form, submitter, 'action') || documentUrl(form), baseUrl(form));
}

export const isOwnOrigin = (form: Element, url: URL): boolean => url.origin === windowOf(form)?.origin;

/** Whether a submission requests an origin that is neither the page's own nor allowed by its author. */
export function isForeign({ element, settings }: LiveForm, submitter: Element | null): boolean {
  const url = destinationOf(element, submitter);
  // A frame with `srcdoc` has the URL about:srcdoc.
  if (!url || /^(?:about|javascript):$/.test(url.protocol) || isOwnOrigin(element, url)) return false;
  return !settings.autosubmitOrigins.includes(url.origin);
}

/** The origins of a list of URLs. Invalid URLs are ignored. */
export const originsOf = (urls: readonly string[]): readonly string[] =>
  urls.map((url) => parseUrl(url)?.origin ?? 'null').filter((origin) => origin !== 'null');
