import { html as tag } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Markup = HtmlEscapedString;

/** HTML in which every value is escaped. */
export const html = tag as (strings: TemplateStringsArray, ...values: unknown[]) => Markup;
