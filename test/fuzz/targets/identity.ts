import { isTokenName } from '../../../src/site/tools/hidden-values.js';
import { GatewayError } from '../../../gateway/src/index.js';
import { call } from '../../support/gateway/calls.js';
import {
  pageWith,
  password,
  siteForms,
  visitorCases,
  type SiteForm,
  type VisitorCase,
} from '../generators/visitors.js';
import { hold, sequential, type Target } from '../target.js';

/** With any markup of visitors in a page, a gateway sends the form of the site, or nothing. */
export const identity: Target<VisitorCase> = {
  name: 'identity',
  cases: visitorCases,
  batch: 500,
  open: () => Promise.resolve(sequential(check)),
};

const origin = 'https://site.example';

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

async function check({ site: index, markups }: VisitorCase): Promise<void> {
  const site = siteForms[index] as SiteForm;
  await checkPage(site, pageWith(site, 'new', markups));
}

/** Calls the tool of a site whose page has changed since it was compiled. */
export async function checkPage(site: SiteForm, html: string): Promise<void> {
  const sent: Sent[] = [];
  const fetch = async (url: string, { method = 'GET', body }: RequestInit): Promise<Response> => {
    const isPage = method === 'GET' && url === `${origin}/page`;
    if (!isPage) sent.push({ method, url, body: await new Response(body ?? '').text() });
    return new Response(isPage ? html : 'received', { headers: { 'content-type': 'text/html' } });
  };
  const compiled = pageWith(site, 'old', []);
  const { input, values = {} } = site;
  const error: unknown = await call({
    html: compiled,
    pageUrl: `${origin}/page`,
    fetch,
    input,
    config: { values },
  }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const details = JSON.stringify({ html, sent, error: error instanceof Error ? error.stack : error });
  hold(error === undefined || error instanceof GatewayError, 'no page makes a call fail in another way', details);
  hold(error === undefined || sent.length === 0, 'a refused call sends nothing', details);
  hold(!(error instanceof Error && error.message.includes(password)), 'no error holds the password', details);
  if (error === undefined) {
    hold(sent.length === 1, 'a call sends one request', details);
    for (const each of sent) hold(isOf(site, each), 'what is sent is the form of the site', details);
  }
}

/** The order of the entries does not matter: an unclosed table of a visitor can move the controls of the site. */
function isOf(site: SiteForm, { method, url, body }: Sent): boolean {
  const isCompared = ([name = '']: readonly string[]): boolean => !isTokenName(name) && !site.optional.includes(name);
  const textOf = (entries: readonly (readonly string[])[]): string =>
    JSON.stringify(entries.filter(isCompared).map(String).sort());
  const sent = [...new URLSearchParams(body)];
  const isOwn = textOf(sent) === textOf(site.entries) && sent.every(([name]) => isKnown(site, name));
  return method === site.method && url === `${origin}${site.path}` && isOwn;
}

const isKnown = (site: SiteForm, name: string): boolean =>
  isTokenName(name) || site.entries.some(([known]) => known === name);
