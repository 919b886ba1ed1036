import { readForm } from '../../../http/request-json.js';
import { HttpError } from '../../../http/json-response.js';
import type { Gateway } from '../../gateway.js';
import { valuesOf } from './secret-fields.js';
import { answerMember, declineValue, messagePage, questionPage, tokenMember, valueMember } from './secret-page.js';
import { randomId, type OpenQuestion, type SecretQuestions } from './secret-questions.js';

const pagePath = /\/ask\/([\w-]{43})$/;

/** Whether the request is for a page on which a person types secrets. It has no token of a client. */
export const isSecretPage = ({ url }: Pick<Request, 'url'>): boolean => secretPageId(url) !== undefined;

const secretPageId = (url: string): string | undefined =>
  pagePath.exec(URL.canParse(url) ? new URL(url).pathname : '')?.[1];

export async function answerPage(
  { asking: { secrets }, settings }: Pick<Gateway, 'asking' | 'settings'>,
  request: Request,
): Promise<Response> {
  const id = secretPageId(request.url) ?? '';
  const question = secrets.find(id);
  if (!question) return await gone();
  if (request.method !== 'GET' && request.method !== 'POST')
    return new Response(null, { status: 405, headers: { allow: 'GET, POST' } });
  // A person who follows a link of another user would type a password for the call of that user.
  if (question.client !== undefined && settings.client(request) !== question.client) {
    return await refused('You are not the user whose assistant has asked.');
  }
  return request.method === 'GET' ? await show(question, request) : await accept(secrets, id, question, request);
}

const gone = (): Promise<Response> =>
  messagePage(404, 'This page does not exist', 'It has expired, or it was used. Ask your assistant to try again.');

const refused = (reason: string): Promise<Response> =>
  messagePage(403, 'This page is not for you', `${reason} Nothing was sent. Ask your own assistant to try again.`);

const cookieName = 'webmcp-ask';

const cookieOf = ({ headers }: Request): string | undefined =>
  (headers.get('cookie') ?? '')
    .split(/;\s*/)
    .find((pair) => pair.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1);

/** Shows the page. The first browser that opens it is regarded as the browser of the person. */
async function show(question: OpenQuestion, request: Request): Promise<Response> {
  const { headers } = request;
  if (/prefetch|prerender/i.test(headers.get('sec-purpose') ?? ''))
    return await refused('The page was loaded in advance.');
  if (question.opener !== undefined) {
    return cookieOf(request) === question.opener
      ? await questionPage(question)
      : await refused('Another browser has opened it.');
  }
  question.opener = randomId();
  const { pathname, protocol } = question.url;
  const secure = protocol === 'https:' ? '; Secure' : '';
  const cookie = `${cookieName}=${question.opener}; Path=${pathname}; HttpOnly; SameSite=Lax${secure}`;
  return await questionPage(question, undefined, { 'set-cookie': cookie });
}

const maxBodyBytes = 100_000;

async function accept(
  secrets: SecretQuestions,
  id: string,
  question: OpenQuestion,
  request: Request,
): Promise<Response> {
  if (request.headers.get('origin') !== question.url.origin)
    return await refused('A page of another site has sent this.');
  if (question.opener === undefined || cookieOf(request) !== question.opener) {
    return await refused('Another browser has opened it, or your browser has refused its cookie.');
  }
  secrets.countAttempt(id);
  const form = await readForm(request, maxBodyBytes).catch((error: unknown) => {
    if (error instanceof HttpError) return undefined;
    throw error;
  });
  if (form?.get(tokenMember) !== question.formToken) return await refused('The form is not that of this page.');
  if (form.get(answerMember) === declineValue) {
    if (!secrets.answer(id, 'declined')) return await gone();
    return await messagePage(200, 'Nothing was sent', 'You can close this page.');
  }
  return await send(secrets, id, question, form);
}

async function send(
  secrets: SecretQuestions,
  id: string,
  question: OpenQuestion,
  form: URLSearchParams,
): Promise<Response> {
  const { fields, accepts, isCurrent } = question;
  if (!(await isCurrent())) {
    secrets.end(id);
    return await messagePage(409, 'The form has changed', 'Nothing was sent. Ask your assistant to try again.');
  }
  const values = valuesOf(
    fields,
    fields.map((_, index) => form.get(valueMember(index)) ?? ''),
  );
  if (!accepts(values))
    return await questionPage(question, 'A value is missing, or the form does not accept it. Enter all values again.');
  if (!secrets.answer(id, values)) return await gone();
  return await messagePage(200, 'Thank you', 'You can close this page and return to your assistant, which continues.');
}
