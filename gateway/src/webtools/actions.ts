import {
  type FormDescription,
  SubmissionError,
  canonicalJson,
  descriptionOf,
  destructiveVerbOf,
  indexControls,
  isSubmitButton,
  joinSentences,
  missingSecrets,
  oncePerObject,
  pageUrl,
  submissionOf,
  synthesizeTool,
} from 'webmcp-forms/headless';
import type { GatewayManifest, GatewayTool } from '../manifest.js';
import type { Settings } from '../settings.js';
import { actionNames, pageSentence } from './action-names.js';
import { pinnedParts } from './form-pin.js';
import type { ActionMetadata } from './webtool.js';

export interface Action extends Omit<ActionMetadata, 'responseSchema' | 'form'> {
  readonly form: FormDescription;
  readonly tool: GatewayTool;
  /** The name of the action whose form this action reads instead of submitting it. */
  readonly reads?: string;
  /** Set for the action that submits a form of the last answer in the session. */
  readonly continues?: true;
}

export interface ExcludedTool {
  readonly tool: string;
  readonly page: string;
  /** Completes the sentence "The tool is excluded because ...". */
  readonly reason: string;
}

interface Actions {
  readonly actions: readonly Action[];
  readonly excluded: readonly ExcludedTool[];
}

/**
 * All actions of a manifest, regardless of a serving policy and of the order of its pages. Equal tools of several pages are
 * one action. Different tools with the same name are distinguished by their pages.
 */
export const actionsOf = oncePerObject(({ pages }: GatewayManifest): Actions => {
  const actions = new Map<string, Action>();
  const excluded: ExcludedTool[] = [];
  for (const { path, title, tools } of [...pages].sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)))) {
    for (const tool of tools) {
      if (!tool.form) {
        excluded.push({ tool: tool.name, page: path, reason: 'it is not a form' });
        continue;
      }
      const action = toAction(tool, path, title);
      const key = identityOf(action);
      const known = actions.get(key);
      // A form on pages before and after the login can be used in both sessions.
      if (!known || (known.tool.session && !tool.session)) actions.set(key, action);
    }
  }
  const distinct = [...actions.values()];
  const names = actionNames(distinct);
  return withUniqueNames(
    distinct.map((action, index) => nameByPage(action, names[index] as string)),
    excluded,
  );
});

/** A manifest that was written by hand may have different tools of one name on a page. */
function withUniqueNames(actions: readonly Action[], excluded: readonly ExcludedTool[]): Actions {
  const named = new Map<string, Action>();
  for (const action of actions) if (!named.has(action.name)) named.set(action.name, action);
  const reason = 'another tool of its page has its name';
  const others = actions.filter((action) => named.get(action.name) !== action);
  const refused = others.map(({ tool, page }) => ({ tool: tool.name, page, reason }));
  return { actions: [...named.values()], excluded: [...excluded, ...refused] };
}

function nameByPage(action: Action, name: string): Action {
  if (name === action.name) return action;
  const { title, description, page, pageTitle } = action;
  return {
    ...action,
    name,
    ...(title !== undefined && { title: `${title} (${pageTitle ?? page})` }),
    description: joinSentences([description, pageSentence(page, pageTitle)]),
  };
}

function toAction(tool: GatewayTool, page: string, pageTitle: string | undefined): Action {
  const form = descriptionOf(tool);
  const { inputSchema } = synthesizeTool(form, { profile: 'portable' });
  return {
    name: tool.name,
    ...(tool.title && { title: tool.title }),
    description: joinSentences([tool.description, tool.session === 'signed-out' ? signedOut : '']),
    ...(tool.lang !== undefined && { lang: tool.lang }),
    ...(tool.dir !== undefined && { dir: tool.dir }),
    requestSchema: inputSchema,
    readOnly: (tool.annotations?.readOnlyHint ?? isOnlyGet(form)) && !isDestructive(form),
    consequential: tool.annotations?.consequentialHint ?? !form.tool.autosubmit,
    form,
    tool,
    page,
    ...(pageTitle !== undefined && { pageTitle }),
  };
}

/** The sentence about a tool whose page was read before a login. A session that is signed in may not have the tool. */
const signedOut = 'For a session that is not signed in.';

/** Whether the words of a form say that it deletes, cancels, orders or pays. */
export const isDestructive = (form: FormDescription): boolean =>
  destructiveVerbOf(form, form.method === 'get') !== undefined;

/** Identifies an action by its tool's name, title, description and schema, and by everything that determines its submission. */
function identityOf({ name, title = '', tool, requestSchema, form, page }: Action): string {
  return canonicalJson([name, title, tool.description, requestSchema, pinnedParts(form), destinationOf(form, page)]);
}

/** The absolute destination of a form, because a relative URL depends on the page's folder. */
function destinationOf(form: FormDescription, page: string): string {
  if (!form.action) return page;
  try {
    return submissionOf(form, undefined, pageUrl(new URL(placeholderUrl), page)).url.href;
  } catch {
    return `${form.base ?? ''} ${form.action}`; // the form cannot be submitted over HTTP
  }
}

/** The submit buttons of a form; undefined stands for implicit submission. */
function submitters(form: FormDescription): readonly (number | undefined)[] {
  const buttons = indexControls(form).filter(({ control }) => isSubmitButton(control));
  return buttons.length > 0 ? buttons.map(({ index }) => index) : [undefined];
}

const placeholderUrl = 'https://site.invalid/';

function isOnlyGet(form: FormDescription): boolean {
  return submitters(form).every((submitter) => {
    try {
      return submissionOf(form, submitter, placeholderUrl).method === 'get';
    } catch {
      return false; // the form cannot be submitted over HTTP
    }
  });
}

export interface ServingPolicy
  extends
    Pick<Settings, 'autosubmitOnly' | 'clientSecrets' | 'config' | 'origins'>,
    Partial<Pick<Settings, 'readForms' | 'continuePaths'>> {
  /** The site's URL. Without it, forms may be submitted to any origin. */
  readonly baseUrl?: URL | undefined;
}

/** The secrets that an action requires of clients, which MCP cannot send. */
export const clientSecretsOf = ({ name, form }: Action, { config }: Pick<ServingPolicy, 'config'>): readonly string[] =>
  missingSecrets(form, config.values?.[name] ?? {});

const maxNameLength = 128;

const nextForm: FormDescription = {
  tool: { name: null, description: null, title: null, autosubmit: false },
  method: 'post',
  action: null,
  enctype: 'application/x-www-form-urlencoded',
  groups: [],
  controls: [],
};

/** The action that submits a form of the last answer. */
export function continuationOf(actions: readonly Action[]): Action {
  const names = new Set(actions.map(({ name }) => name));
  const name = ['continue', 'continue_form', 'webmcp_continue'].find((each) => !names.has(each)) ?? 'continue_session';
  const description =
    'Submits a form that the last answer of this session has in "forms", such as the next step of a wizard or a confirmation.';
  return {
    name,
    description,
    requestSchema: {
      type: 'object',
      properties: {
        form: { type: 'string', description: 'The "form" of one of the "forms".' },
        input: { type: 'object', description: 'The values, as the "requestSchema" of this form describes them.' },
      },
      required: ['form'],
      additionalProperties: false,
    },
    readOnly: false,
    consequential: true,
    page: '',
    form: nextForm,
    tool: { name, description },
    continues: true,
  };
}

/** The companion that reads the form of an action. It shares the configuration of the action. */
function readingOf(action: Action): Action {
  const { name, title, description } = action;
  return {
    ...action,
    name: `read_${name}`.slice(0, maxNameLength),
    ...(title !== undefined && { title: `Read: ${title}` }),
    description: `Returns the current values of the form of ${name}, and the text of its page, and changes nothing. The form: ${description}`,
    requestSchema: { type: 'object', properties: {}, additionalProperties: false },
    readOnly: true,
    consequential: false,
    reads: name,
  };
}

/** The companions of actions, except companions with the name of an action. */
export function readingsOf(actions: readonly Action[]): readonly Action[] {
  const names = new Set(actions.map(({ name }) => name));
  return actions.map(readingOf).filter(({ name }) => !names.has(name));
}

export function exclusionReason(action: Action, policy: ServingPolicy): string | undefined {
  const { form, page } = action;
  const { autosubmitOnly, clientSecrets, baseUrl, origins } = policy;
  if (autosubmitOnly && !form.tool.autosubmit) return 'it has no toolautosubmit, and only forms with it are served';
  const missing = clientSecrets ? [] : clientSecretsOf(action, policy);
  if (missing.length > 0) return `its configuration has no value for ${missing.join(', ')}`;
  const url = baseUrl && pageUrl(baseUrl, page);
  const reasons = submitters(form).map((submitter) => destinationProblem(form, submitter, url, origins));
  return reasons.includes(undefined) ? undefined : reasons[0];
}

function destinationProblem(
  form: FormDescription,
  submitter: number | undefined,
  page: string | undefined,
  origins: readonly string[],
): string | undefined {
  try {
    const { url } = submissionOf(form, submitter, page ?? placeholderUrl);
    if (page === undefined || url.origin === new URL(page).origin || origins.includes(url.origin)) return undefined;
    return `it is submitted to ${url.origin}, which is not allowed`;
  } catch (error) {
    if (error instanceof SubmissionError) return error.message.replace(/^.*?: |\.$/g, '');
    throw error;
  }
}
