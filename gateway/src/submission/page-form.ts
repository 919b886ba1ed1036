import {
  type ControlDescription,
  type ControlState,
  type FormDescription,
  type Parse5Element,
  type Parse5Page,
  ancestors,
  annotation,
  describeForm,
  isCharset,
  parsePage,
  preview,
  readForms,
} from 'webmcp-forms/headless';
import { hasUnknownOptions } from '../constraints/constraints.js';
import { GatewayError } from '../gateway-error.js';
import { sendRequest } from '../upstream/send-request.js';
import type { Upstream, UpstreamResponse } from '../upstream/upstream.js';
import { decode } from './charset.js';
import { isSecret } from './config.js';
import { submissionOf } from './form-request.js';
import { parseLimits } from './read-response.js';

export interface PageForm {
  readonly form: FormDescription;
  /** The URL of the page after redirects. */
  readonly pageUrl: string;
  readonly encoding: string;
  directionOf(control: number, states: readonly ControlState[]): 'ltr' | 'rtl';
}

/** Whether a submission depends on data that manifests omit: the values of hidden controls, secrets, and directions. */
export const needsPage = (form: FormDescription, set: ReadonlySet<number>): boolean =>
  form.controls.some((control, index) => {
    if (control.disabled || control.name === '') return false;
    if (control.attributes.dirname) return true;
    return isSecret(control) && !isCharset(control) && (hasUnknownOptions(control) || !set.has(index));
  });

/**
 * Requests a form's page in the session of the call, and finds the form of the manifest in it.
 *
 * @throws {GatewayError} `page-unavailable`, `page-drift`
 */
export async function readPageForm(upstream: Upstream, known: FormDescription, pageUrl: string): Promise<PageForm> {
  const response = await sendRequest(upstream, { method: 'GET', url: pageUrl });
  const { page, encoding } = readPage(response);
  const { url } = response;
  const { form, controls } = findForm(page, known, pageUrl, url);
  const [first, ...more] = differences(known, form, pageUrl, url);
  if (first !== undefined) throw drift(more.length > 0 ? `${first}, and ${more.length} more` : first);
  const directionOf = (index: number, states: readonly ControlState[]): 'ltr' | 'rtl' =>
    directionality(page.tree, controls[index] as Parse5Element, states[index]);
  return { form, pageUrl: url, encoding, directionOf };
}

function readPage({ status, contentType, bytes }: UpstreamResponse): { page: Parse5Page; encoding: string } {
  if (status < 200 || status > 299) throw unavailable(`the status is ${status}.`);
  if (!/^\s*(?:$|;|text\/html|application\/xhtml\+xml)/i.test(contentType)) throw unavailable('it is not HTML.');
  const { text, encoding } = decode(bytes, contentType);
  try {
    return { page: parsePage(text, parseLimits), encoding };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw unavailable(error.message);
  }
}

const unavailable = (reason: string): GatewayError =>
  new GatewayError('page-unavailable', `The page of the form cannot be read: ${reason}`);

const drift = (reason: string): GatewayError =>
  new GatewayError('page-drift', `The page differs from the manifest: ${reason}. Compile the manifest again.`);

interface FoundForm {
  readonly form: FormDescription;
  readonly controls: readonly Parse5Element[];
}

/** Finds a form by the name of its tool, or else by its destination and the names of its controls. */
function findForm({ document, tree }: Parse5Page, known: FormDescription, knownUrl: string, url: string): FoundForm {
  const describe = ({ form, scope }: (typeof forms)[number]): FoundForm => {
    const { description, controls } = describeForm(tree, form, scope);
    return { form: description, controls };
  };
  const forms = readForms(tree, document);
  const named = forms.find(({ form }) => annotation(tree, form, 'toolname') === known.tool.name);
  if (named) return describe(named);
  const similar = forms
    .slice(0, 200)
    .map(describe)
    .filter(({ form }) => differences(known, form, knownUrl, url).length === 0);
  const [form] = similar;
  if (form && similar.length === 1) return form;
  const count = form ? similar.length : 'no';
  throw drift(`the page has ${count} forms that match the tool ${preview(known.tool.name)}`);
}

/** The differences between the forms of the manifest and the page. Hidden controls may differ. */
function differences(known: FormDescription, form: FormDescription, knownUrl: string, url: string): readonly string[] {
  const isSameDestination = destination(known, undefined, knownUrl) === destination(form, undefined, url);
  const [before, after] = [countControls(known), countControls(form)];
  const missing = [...before].flatMap(([key, count]) => ((after.get(key) ?? 0) < count ? `${key} is missing` : []));
  const added = [...after].flatMap(([key, count]) => ((before.get(key) ?? 0) < count ? `${key} is new` : []));
  return [...(isSameDestination ? [] : ['the form has another destination']), ...missing, ...added];
}

function countControls({ controls }: FormDescription): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { type, name } of controls.filter(isCompared)) {
    const key = `the ${type} control ${preview(name)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const ignoredTypes = new Set(['hidden', 'output', 'fieldset', 'object', 'button', 'reset']);
const isCompared = ({ type, name }: ControlDescription): boolean => name !== '' && !ignoredTypes.has(type);

interface SubmittedForm {
  readonly form: FormDescription;
  readonly submitter: number | undefined;
  readonly pageUrl: string;
}

/**
 * Checks that the submit button has the same destination as in the manifest.
 *
 * @throws {GatewayError} `page-drift`
 */
export function checkDestination(...forms: readonly [known: SubmittedForm, current: SubmittedForm]): void {
  const [before, after] = forms.map(({ form, submitter, pageUrl }) => destination(form, submitter, pageUrl));
  if (before !== after) throw drift('the submit button has another destination');
}

/** Excludes the query and path parameters, because they can be specific to a session. */
function destination(form: FormDescription, submitter: number | undefined, pageUrl: string): string {
  const { url, method, enctype } = submissionOf(form, submitter, pageUrl);
  return `${method} ${method === 'post' ? enctype : ''} ${url.origin}${url.pathname.replace(/;.*/s, '')}`;
}

/** https://html.spec.whatwg.org/#the-directionality Deviates from the spec: `dir=auto` of ancestors is ignored. */
function directionality(
  tree: Parse5Page['tree'],
  control: Parse5Element,
  state: ControlState | undefined,
): 'ltr' | 'rtl' {
  const own = tree.attribute(control, 'dir')?.toLowerCase();
  if (own === 'auto') {
    return textDirection(state?.holds === 'value' ? state.value : (tree.attribute(control, 'value') ?? ''));
  }
  if (own === 'ltr' || own === 'rtl') return own;
  if (tree.attribute(control, 'type')?.toLowerCase() === 'tel') return 'ltr';
  for (const ancestor of ancestors(tree, control)) {
    const dir = tree.isElement(ancestor) ? tree.attribute(ancestor, 'dir')?.toLowerCase() : undefined;
    if (dir === 'ltr' || dir === 'rtl') return dir;
  }
  return 'ltr';
}

/** Letters of the bidirectional types R and AL. https://www.unicode.org/reports/tr9/ */
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

const textDirection = (text: string): 'ltr' | 'rtl' =>
  rightToLeft.test(/\p{L}/u.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr';
