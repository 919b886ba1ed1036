import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Sent } from './refill.js';

/** The body of a form submission: strings by name, and at most one file. */
export interface SentForm {
  readonly sent: Sent;
  readonly file: File | undefined;
  /** The first string of a name, trimmed; the empty string if the name is missing. */
  readonly text: (name: string) => string;
  readonly all: (name: string) => readonly string[];
}

const mostFields = 200;
const accepted = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

function formOf(data: Iterable<readonly [string, File | string]>): SentForm {
  const texts = new Map<string, string[]>();
  let file: File | undefined;
  let fields = 0;
  for (const [name, value] of data) {
    if ((fields += 1) > mostFields) throw new HTTPException(400, { message: 'No form here sends so much at once.' });
    if (typeof value !== 'string') file = value.size > 0 ? value : file;
    else if (texts.has(name)) texts.get(name)?.push(value.replaceAll('\0', ''));
    else texts.set(name, [value.replaceAll('\0', '')]);
  }
  const all = (name: string): readonly string[] => texts.get(name) ?? [];
  return { sent: Object.fromEntries(texts), file, all, text: (name) => (all(name)[0] ?? '').trim() };
}

/** Parses the body of a form submission. Rejects other content types. */
export async function readForm({ req }: Context): Promise<SentForm> {
  if (!accepted.test(req.header('content-type') ?? ''))
    throw new HTTPException(415, { message: 'This address takes what its form sends, and nothing else.' });
  try {
    return formOf(await req.formData());
  } catch (cause) {
    if (cause instanceof HTTPException) throw cause;
    throw new HTTPException(400, { message: 'What was sent cannot be read as a form.', cause });
  }
}

export const readQuery = ({ req }: Context): SentForm => formOf(new URL(req.url).searchParams);
