import {
  type FormDescription,
  type JsonSchema,
  canonicalJson,
  indexControls,
  isSubmitButton,
  synthesizeTool,
} from 'webmcp-forms/headless';
import { GatewayError } from '../gateway-error.js';
import { descriptionOf, pageUrl, type GatewayManifest, type GatewayTool } from '../manifest.js';
import type { Settings } from '../settings.js';
import { missingSecrets } from '../submission/config.js';
import { submissionOf } from '../submission/form-request.js';

export interface Action {
  /** The tool's name, followed by a number if another tool has the same name. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly requestSchema: JsonSchema;
  /** Whether the form is only submitted by GET. */
  readonly readOnly: boolean;
  /** Whether a person is expected to submit it. */
  readonly consequential: boolean;
  readonly form: FormDescription;
  readonly tool: GatewayTool;
  readonly page: string;
}

export interface ExcludedTool {
  readonly tool: string;
  readonly page: string;
  /** Completes the sentence "The tool is excluded because ...". */
  readonly reason: string;
}

export interface Actions {
  readonly actions: readonly Action[];
  readonly excluded: readonly ExcludedTool[];
}

/** All actions of a manifest, regardless of a serving policy. Equal tools of several pages are one action. */
export function actionsOf({ pages }: GatewayManifest): Actions {
  const actions = new Map<string, Action>();
  const names = new Set<string>();
  const excluded: ExcludedTool[] = [];
  for (const { path, tools } of pages) {
    for (const tool of tools) {
      if (!tool.form) {
        excluded.push({ tool: tool.name, page: path, reason: 'it is not a form' });
        continue;
      }
      const action = toAction(tool, path);
      const key = identityOf(action);
      if (!actions.has(key)) actions.set(key, { ...action, name: uniqueName(action.name, names) });
    }
  }
  return { actions: [...actions.values()], excluded };
}

function toAction(tool: GatewayTool, page: string): Action {
  const form = descriptionOf(tool);
  const { inputSchema } = synthesizeTool(form, { profile: 'portable' });
  return {
    name: tool.name,
    ...(tool.title && { title: tool.title }),
    description: tool.description,
    requestSchema: inputSchema,
    readOnly: tool.annotations?.readOnlyHint ?? isOnlyGet(form),
    consequential: tool.annotations?.consequentialHint ?? !form.tool.autosubmit,
    form,
    tool,
    page,
  };
}

function identityOf({ name, description, requestSchema, form, page }: Action): string {
  const { method, enctype, action, base } = form;
  const destination = action ? [base, action] : page;
  return canonicalJson([name, description, requestSchema, method, enctype, destination]);
}

function uniqueName(name: string, used: Set<string>): string {
  let candidate = name;
  for (let count = 2; used.has(candidate); count++) candidate = `${name.slice(0, 120)}-${count}`;
  used.add(candidate);
  return candidate;
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

export interface ServingPolicy extends Pick<Settings, 'autosubmitOnly' | 'clientSecrets' | 'config' | 'origins'> {
  /** The site's URL. Without it, forms may be submitted to any origin. */
  readonly baseUrl?: URL;
}

export function exclusionReason({ name, form, page }: Action, policy: ServingPolicy): string | undefined {
  const { autosubmitOnly, clientSecrets, baseUrl, config, origins } = policy;
  if (autosubmitOnly && !form.tool.autosubmit) return 'it has no toolautosubmit, and only forms with it are served';
  const missing = clientSecrets ? [] : missingSecrets(form, config.values?.[name] ?? {});
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
    if (error instanceof GatewayError) return error.message.replace(/^.*?: |\.$/g, '');
    throw error;
  }
}
