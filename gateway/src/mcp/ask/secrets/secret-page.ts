import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { SecretField } from './secret-fields.js';
import type { OpenQuestion } from './secret-questions.js';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The name of the submit buttons. The button that declines has the value `declineValue`. */
export const answerMember = 'answer';
export const declineValue = 'decline';
export const tokenMember = 'token';
/** The name of a field. It does not depend on the names of the site's controls. */
export const valueMember = (index: number): string => `value${index}`;

const style = `:root{color-scheme:light dark;--accent:light-dark(#0b57d0,#a8c7fa);--error:light-dark(#a00,#ffb4ab)}
body{font:100%/1.5 system-ui,sans-serif;max-width:38rem;margin:1.5rem auto;padding:0 1rem}h1{font-size:1.5rem;line-height:1.25}
h2{font-size:1.125rem}h1,h2,li,strong{overflow-wrap:anywhere}label{display:block;margin-top:1rem;font-weight:600}ul{padding-left:1.25rem}
input,select{font:inherit;width:100%;box-sizing:border-box;padding:.5rem}button{font:inherit;padding:.5rem 1rem;margin:1.5rem .5rem 0 0}
button[value=send]{color:Canvas;background:var(--accent);border:1px solid var(--accent);border-radius:.25rem}[role=alert]{color:var(--error)}
@media(forced-colors:active){button[value=send]{color:ButtonText}}`;

interface PageOptions {
  readonly status: number;
  readonly title: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A page of the gateway. It cannot be framed or stored, has no scripts, and can submit its form only to its own origin.
 * The referrer policy is not `no-referrer`, because it makes browsers send `Origin: null`.
 */
async function pageResponse({ status, title, headers }: PageOptions, body: Html): Promise<Response> {
  const nonce = crypto.randomUUID();
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${style}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  return new Response(String(await page), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      ...headers,
    },
  });
}

export const messagePage = (status: number, title: string, message: string): Promise<Response> =>
  pageResponse({ status, title }, html`<p>${message}</p>`);

/** The page on which a person types the secrets of a call. */
export function questionPage(question: OpenQuestion, problem?: string, headers = {}): Promise<Response> {
  const { tool, place, lang, dir, lines, fields, formToken } = question;
  const language = html`lang="${lang ?? 'und'}" dir="${dir ?? 'auto'}"`;
  return pageResponse(
    { status: problem === undefined ? 200 : 422, title: 'Enter values that your assistant must not see', headers },
    html`<p>
        An assistant wants to send the form <strong ${language}>${tool}</strong> on <strong>${place}</strong>. Type the
        missing values here: neither the assistant nor its model sees them.
      </p>
      <p>
        <strong>Stop if somebody sent you this link, or if you have not asked for this.</strong> What you type is sent
        in the session of the person whose assistant has asked.
      </p>
      ${problem === undefined ? '' : html`<p role="alert" id="problem">${problem}</p>`}
      <h2 id="sent">What is sent to ${place}</h2>
      <ul aria-labelledby="sent">
        ${lines.map((line) => html`<li dir="auto">${line}</li>`)}
        ${fields.map(({ label }) => html`<li><bdi ${language}>${label}</bdi>: what you type below</li>`)}
      </ul>
      <form method="post" autocomplete="off">
        <input type="hidden" name="${tokenMember}" value="${formToken}" />
        ${fields.map(
          (field, index) =>
            html`<label for="${valueMember(index)}" ${language}
                >${field.label}${field.isRequired ? '' : ' (optional)'}</label
              >
              ${inputOf(field, index, problem !== undefined)}`,
        )}
        <button name="${answerMember}" value="send">Send</button>
        <button name="${answerMember}" value="${declineValue}" formnovalidate>Do not send</button>
      </form>`,
  );
}

function inputOf({ control, isRequired }: SecretField, index: number, isInvalid: boolean): Html {
  const { type, options, attributes } = control;
  const about = html`id="${valueMember(index)}" name="${valueMember(index)}" ${isRequired ? 'required' : ''}
  ${isInvalid ? html`aria-describedby="problem"` : ''} autocomplete="${autofillOf(attributes.autocomplete)}"`;
  if (options && options.length > 0) {
    return html`<select ${about}>
      ${options.map(({ value, text, label }) => html`<option value="${value}">${label ?? text}</option>`)}
    </select>`;
  }
  const limits = (['minlength', 'maxlength', 'pattern', 'title', 'inputmode'] as const).flatMap((name) => {
    const value = (attributes as Readonly<Record<string, string | undefined>>)[name];
    return value === undefined ? [] : html` ${name}="${value}"`;
  });
  return html`<input
    type="${inputTypes[type] ?? 'text'}"
    ${about}
    ${limits}
    spellcheck="false"
    autocapitalize="off"
  />`;
}

const inputTypes: Readonly<Partial<Record<string, string>>> = { password: 'password', tel: 'tel', month: 'month' };

/** Allows autofill of cards and one-time codes only: browsers store passwords for the origin of the site. */
const autofillOf = (autocomplete = ''): string => /\b(?:cc-[a-z-]+|one-time-code)\b/i.exec(autocomplete)?.[0] ?? 'off';
