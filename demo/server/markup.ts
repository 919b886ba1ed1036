import { html as tag } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Markup = HtmlEscapedString;

/** HTML with every value escaped. No value of this site is asynchronous. */
export const html = tag as (strings: TemplateStringsArray, ...values: unknown[]) => Markup;
