import type { NextForm, ToolAnswer } from 'webmcp-forms/client';
import {
  isRecord,
  isStillOffered,
  type JsonValue,
  type OfferOptions,
  previewList,
  type SiteAnswer,
} from 'webmcp-forms/headless';
import { GatewayError } from './gateway-error.js';
import type { Settings } from './settings.js';
import type { Session } from './stores/sessions.js';
import { prepareNext, sendCall, type SendOptions } from './submit-form.js';
import type { Webtool } from './webtools/webtool.js';

interface ContinueOptions {
  readonly prepare: Omit<Parameters<typeof prepareNext>[1], 'input' | 'cookies'>;
  readonly send: SendOptions;
  /** The current conditions for submitting an offered form. */
  readonly offers: OfferOptions | undefined;
}

/** The conditions under which the session may submit a form of an answer. */
export const offersOf = (
  { continuePaths: paths, baseUrl: { origin } }: Pick<Settings, 'continuePaths' | 'baseUrl'>,
  { actions }: Pick<Webtool, 'actions'>,
): OfferOptions => ({ origin, paths, tools: namesByTool(actions) });

function namesByTool(actions: Webtool['actions']): OfferOptions['tools'] {
  const tools = new Map<string, Set<string>>();
  for (const { tool, form } of actions.values()) {
    const names = tools.get(tool.name) ?? new Set();
    for (const { name } of form.controls) names.add(name);
    tools.set(tool.name, names);
  }
  return tools;
}

/**
 * Submits a form of the last answer of a session. The form is removed from the session before it is sent, so that it
 * cannot be sent twice.
 *
 * @throws {GatewayError} `schema-error`, `form-not-offered`
 */
export async function continueSession(
  input: JsonValue,
  session: Session | undefined,
  { prepare, send, offers }: ContinueOptions,
): Promise<SiteAnswer> {
  const { form: name, values } = parse(input);
  const offered = session && Object.hasOwn(session.forms, name) ? session.forms[name] : undefined;
  if (!session || !offered || !offers || !isStillOffered(offered, offers)) throw notOffered(session);
  const known = await session.jar.getCookies(offered.pageUrl);
  const cookies = new Set(known.map((cookie) => cookie.cookieString()));
  const continuation = prepareNext(offered, { ...prepare, input: values, cookies });
  if (!(await session.take(name))) throw notOffered(undefined);
  return await sendCall(continuation, send);
}

function parse(input: JsonValue): { readonly form: string; readonly values: JsonValue } {
  const { form, input: values = {}, ...others } = isRecord(input) ? input : {};
  const [unknown] = Object.keys(others);
  if (typeof form !== 'string')
    throw new GatewayError(
      'schema-error',
      'The "form" is missing or not a string. Send the "form" of one of the "forms".',
    );
  if (unknown !== undefined)
    throw new GatewayError('schema-error', `${JSON.stringify(unknown)} is unknown. Send "form" and "input" only.`);
  return { form, values };
}

function notOffered(session: Session | undefined): GatewayError {
  const names = Object.keys(session?.forms ?? {});
  const list = names.length > 0 ? `It offered ${previewList(names)}.` : 'It offered no forms.';
  const message = `The last answer of the session did not offer this form, or the session has submitted it. ${list} Call the tool that leads to the form again, with the same session.`;
  return new GatewayError('form-not-offered', message);
}

/** Moves the forms of an answer into the session, and describes them for the client. */
export function withForms({ offers, ...answer }: SiteAnswer, session: Session | undefined): ToolAnswer {
  if (!session || !offers) return answer;
  const named = offers.forms.map((offer) => ({ ...offer, form: `form_${crypto.randomUUID().slice(0, 8)}` }));
  session.offer(Object.fromEntries(named.map(({ form, offered }) => [form, offered])));
  const forms: readonly NextForm[] = named.map(({ form, about }) => ({ form, ...about }));
  return {
    ...answer,
    ...(forms.length > 0 && { forms }),
    ...(offers.omitted > 0 && { omittedForms: offers.omitted }),
  };
}
