import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Store } from './database.js';
import { append, byId, byTag, readPage, setContent, setText, writePage, type Page } from './document.js';
import type { Markup } from './markup.js';
import { momentOf, type Moment } from './visits.js';

export interface Env {
  readonly Variables: { visitor: string };
}

export interface Site {
  readonly store: Store;
  /** The HTML of a page by its file name, or undefined. */
  readonly template: (file: string) => Promise<string | undefined>;
  readonly now: () => Date;
}

export const nowOf = ({ now }: Site): Moment => momentOf(now());

export const todayOf = (site: Site): string => nowOf(site).day;

export async function openPage({ template }: Site, file: string): Promise<Page> {
  return readPage((await template(file)) ?? '');
}

export const sendPage = (context: Context<Env>, page: Page, status: ContentfulStatusCode = 200): Response =>
  context.html(writePage(page), status);

/** A script element with JSON-LD, whose strings cannot close the element. */
export const jsonLd = (data: object): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c')}</script>`;

export interface Answer {
  readonly title: string;
  readonly content: Markup;
  readonly data?: object;
  readonly status?: ContentfulStatusCode;
}

export async function sendAnswer(context: Context<Env>, site: Site, answer: Answer): Promise<Response> {
  const page = await openPage(site, 'thanks.html');
  setText(byTag(page, 'title'), `${answer.title}: Osteria Lume`);
  setText(byTag(page, 'h1'), answer.title);
  setContent(byId(page, 'answer'), String(answer.content));
  if (answer.data) append(byTag(page, 'head'), jsonLd(answer.data));
  return sendPage(context, page, answer.status);
}

export const restaurant = {
  '@type': 'Restaurant',
  name: 'Osteria Lume',
  address: '14 Harbour Lane',
  telephone: '+1 555 0142',
};
