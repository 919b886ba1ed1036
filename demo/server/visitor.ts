import { randomInt, randomUUID } from 'node:crypto';
import { getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { Env } from './site.js';

const name = 'osteria_visitor';
const year = 365 * 24 * 60 * 60;
const isVisitor = (text: string | undefined): text is string => /^[0-9a-f-]{36}$/.test(text ?? '');

export const knowVisitor = createMiddleware<Env>(async (context, next) => {
  const known = getCookie(context, name);
  const visitor = isVisitor(known) ? known : randomUUID();
  if (visitor !== known)
    setCookie(context, name, visitor, { httpOnly: true, sameSite: 'Lax', path: '/', maxAge: year });
  context.set('visitor', visitor);
  await next();
});

const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** A code that is easy to read out on the phone. */
export const newCode = (prefix: string): string =>
  `${prefix}-${Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('')}`;
