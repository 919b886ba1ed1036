import {
  type FormDescription,
  type JsonSchema,
  canonical,
  indexed,
  isSubmitButton,
  synthesizeTool,
} from 'webmcp-forms/headless';
import { missingSecrets } from '../submission/config.js';
import { submissionOf } from '../submission/form-request.js';
import { GatewayError } from '../gateway-error.js';
import { pageUrl } from '../page-url.js';
import type { Settings } from '../settings.js';
import { descriptionOf, type GatewayManifest, type GatewayTool } from '../tool.js';

/** A tool as it is offered without a browser. */
export interface Action {
  /** That of the tool; a tool that is another one of that name has a number after it. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly requestSchema: JsonSchema;
  /** Whether it is sent by GET alone. */
  readonly readOnly: boolean;
  /** Whether a person was meant to submit it. */
  readonly consequential: boolean;
  readonly form: FormDescription;
  readonly tool: GatewayTool;
  readonly page: string;
}

/** A tool that is not offered, and why. */
export interface LeftOut {
  readonly tool: string;
  readonly page: string;
  /** The end of a sentence: "The tool is left out because ...". */
  readonly reason: string;
}

/** What a manifest offers to everybody, whatever an operator sets. */
export interface Actions {
  readonly actions: readonly Action[];
  readonly leftOut: readonly LeftOut[];
}

/** The actions of a manifest. A tool that several pages have in the same way is one; names are in the order of pages. */
export function actionsOf({ pages }: GatewayManifest): Actions {
  const names = new Names();
  const actions: Action[] = [];
  const leftOut: LeftOut[] = [];
  for (const { path, tools } of pages) {
    for (const tool of tools) {
      if (!tool.form) {
        leftOut.push({ tool: tool.name, page: path, reason: 'it is no form' });
        continue;
      }
      const action = actionOf(tool, path);
      const name = names.take(action);
      if (name !== undefined) actions.push({ ...action, name });
    }
  }
  return { actions, leftOut };
}

function actionOf(tool: GatewayTool, page: string): Action {
  const form = descriptionOf(tool);
  const { inputSchema } = synthesizeTool(form, { profile: 'portable' });
  return {
    name: tool.name,
    ...(tool.title && { title: tool.title }),
    description: tool.description,
    requestSchema: inputSchema,
    readOnly: tool.annotations?.readOnlyHint ?? isSentByGet(form),
    consequential: tool.annotations?.consequentialHint ?? !form.tool.autosubmit,
    form,
    tool,
    page,
  };
}

/** The buttons that can submit a form, or that there is none. */
function submitters(form: FormDescription): readonly (number | undefined)[] {
  const buttons = indexed(form).filter(({ control }) => isSubmitButton(control));
  return buttons.length > 0 ? buttons.map(({ index }) => index) : [undefined];
}

const anywhere = 'https://site.invalid/';

function isSentByGet(form: FormDescription): boolean {
  return submitters(form).every((submitter) => {
    try {
      return submissionOf(form, submitter, anywhere).method === 'get';
    } catch {
      return false; // it cannot be sent at all
    }
  });
}

/** Gives each tool a name of its own, and none to a tool that it has had. */
class Names {
  readonly #taken = new Set<string>();
  readonly #known = new Set<string>();

  take({ name, description, requestSchema, form, page }: Action): string | undefined {
    const { method, enctype, action, base } = form;
    const sentTo = action ? [base, action] : page;
    const key = canonical([name, description, requestSchema, method, enctype, sentTo]);
    if (this.#known.has(key)) return undefined;
    this.#known.add(key);
    let free = name;
    for (let count = 2; this.#taken.has(free); count++) free = `${name.slice(0, 120)}-${count}`;
    this.#taken.add(free);
    return free;
  }
}

/** What decides which actions are offered. */
export interface Offer extends Pick<Settings, 'autosubmitOnly' | 'clientSecrets' | 'config' | 'origins'> {
  /** Where the site is; while nobody knows, forms may be sent anywhere. */
  readonly baseUrl?: URL;
}

/** Why an action is not offered, or undefined. */
export function refusalOf({ name, form, page }: Action, offer: Offer): string | undefined {
  const { autosubmitOnly, clientSecrets, baseUrl, config, origins } = offer;
  if (autosubmitOnly && !form.tool.autosubmit) return 'it waits for a person, and only tools that do not are offered';
  const missing = clientSecrets ? [] : missingSecrets(form, config.values?.[name] ?? {});
  if (missing.length > 0) return `the configuration has no value of ${missing.join(', ')} for it`;
  const url = baseUrl && pageUrl(baseUrl, page);
  const refusals = submitters(form).map((submitter) => destinationRefusal(form, submitter, url, origins));
  return refusals.includes(undefined) ? undefined : refusals[0];
}

function destinationRefusal(
  form: FormDescription,
  submitter: number | undefined,
  page: string | undefined,
  origins: readonly string[],
): string | undefined {
  try {
    const { url } = submissionOf(form, submitter, page ?? anywhere);
    if (page === undefined || url.origin === new URL(page).origin || origins.includes(url.origin)) return undefined;
    return `it is sent to ${url.origin}, which is not allowed`;
  } catch (error) {
    if (error instanceof GatewayError) return error.message.replace(/^.*?: |\.$/g, '');
    throw error;
  }
}
