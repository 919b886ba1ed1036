import {
  type ControlDescription,
  type ControlState,
  type FormDescription,
  type Parse5Element,
  type Parse5Node,
  type Parse5Page,
  type Tree,
  ancestors,
  annotation,
  describeForm,
  isCharset,
  parsePage,
  preview,
  readForms,
} from 'webmcp-forms/headless';
import { parsing } from './answer.js';
import { decode } from './charset.js';
import { isSecret } from './config.js';
import { isUnknown } from '../constraints/constraints.js';
import { submissionOf } from './form-request.js';
import { GatewayError } from '../gateway-error.js';
import { exchange, type Answer, type Upstream } from '../upstream/upstream.js';

/** A form as its page has it now. */
export interface FreshForm {
  readonly form: FormDescription;
  /** Where the page was found, after redirects. */
  readonly pageUrl: string;
  readonly encoding: string;
  directionOf(control: number, states: readonly ControlState[]): 'ltr' | 'rtl';
}

/** Whether a form sends what its manifest does not hold: what hidden controls and secrets start with, and directions. */
export const needsPage = (form: FormDescription, set: ReadonlySet<number>): boolean =>
  form.controls.some((control, index) => {
    if (control.disabled || control.name === '') return false;
    if (control.attributes.dirname) return true;
    return isSecret(control) && !isCharset(control) && (isUnknown(control) || !set.has(index));
  });

/** Reads a form's page in the session of the call, and finds the form of the manifest in it. */
export async function readFreshForm(upstream: Upstream, known: FormDescription, pageUrl: string): Promise<FreshForm> {
  const answer = await exchange(upstream, { method: 'GET', url: pageUrl });
  const { text, encoding } = decode(checkedPage(answer), answer.contentType);
  const page = parsed(text);
  const { form, controls } = findForm(page, known, pageUrl, answer.url);
  checkShape(known, form, pageUrl, answer.url);
  const directionOf = (index: number, states: readonly ControlState[]): 'ltr' | 'rtl' =>
    directionality(page.tree, controls[index] as Parse5Element, states[index]);
  return { form, pageUrl: answer.url, encoding, directionOf };
}

function checkedPage({ status, contentType, bytes }: Answer): Uint8Array {
  const unavailable = (reason: string): GatewayError =>
    new GatewayError('page-unavailable', `The page of the form could not be read: ${reason}.`);
  if (status < 200 || status > 299) throw unavailable(`the site answered with the status ${status}`);
  if (!/^\s*(?:$|;|text\/html|application\/xhtml\+xml)/i.test(contentType)) throw unavailable('it is no HTML');
  return bytes;
}

function parsed(html: string): Parse5Page {
  try {
    return parsePage(html, parsing);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new GatewayError('page-unavailable', `The page of the form could not be read: ${error.message}`);
  }
}

interface FoundForm {
  readonly form: FormDescription;
  readonly controls: readonly Parse5Element[];
}

const drift = (reason: string): GatewayError =>
  new GatewayError('page-drift', `The page and the manifest differ: ${reason}. Compile the manifest again.`);

/** By the tool's name; else by where it is sent and what its controls are called. */
function findForm({ document, tree }: Parse5Page, known: FormDescription, knownUrl: string, url: string): FoundForm {
  const all = readForms(tree, document);
  const named = all.find(({ form }) => annotation(tree, form, 'toolname') === known.tool.name);
  const describe = ({ form, scope }: (typeof all)[number]): FoundForm => {
    const { description, controls } = describeForm(tree, form, scope);
    return { form: description, controls };
  };
  if (named) return describe(named);
  const alike = all
    .slice(0, 200)
    .map(describe)
    .filter(({ form }) => differences(known, form, knownUrl, url).length === 0);
  const [only] = alike;
  if (!only) throw drift(`the page has no form that is the tool ${preview(known.tool.name)}`);
  if (alike.length > 1)
    throw drift(`the page has ${alike.length} forms that could be the tool ${preview(known.tool.name)}`);
  return only;
}

function checkShape(known: FormDescription, fresh: FormDescription, knownUrl: string, url: string): void {
  const [first, ...more] = differences(known, fresh, knownUrl, url);
  if (first !== undefined) throw drift(more.length > 0 ? `${first}, and ${more.length} more` : first);
}

/** How two readings of a form differ. Hidden controls are the page's own to change. */
function differences(known: FormDescription, fresh: FormDescription, knownUrl: string, url: string): readonly string[] {
  const before = countControls(known);
  const now = countControls(fresh);
  const gone = [...before].filter(([key, count]) => (now.get(key) ?? 0) < count).map(([key]) => `${key} is gone`);
  const added = [...now].filter(([key, count]) => (before.get(key) ?? 0) < count).map(([key]) => `${key} is new`);
  return [
    ...(destination(known, undefined, knownUrl) === destination(fresh, undefined, url) ? [] : ['it is sent elsewhere']),
    ...gone,
    ...added,
  ];
}

function countControls({ controls }: FormDescription): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const control of controls.filter(isTelling)) {
    const key = `the ${control.type} control ${preview(control.name)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const silent = new Set(['hidden', 'output', 'fieldset', 'object', 'button', 'reset']);
const isTelling = ({ type, name }: ControlDescription): boolean => name !== '' && !silent.has(type);

/**
 * Whether the button that submits a form sends it as the manifest says: it can have an action of its own.
 *
 * @throws {GatewayError} `page-drift`
 */
export function checkButton(known: Sent, fresh: Sent): void {
  const [before, now] = [known, fresh].map(({ form, submitter, pageUrl }) => destination(form, submitter, pageUrl));
  if (before !== now) throw drift('the button of the form sends it elsewhere');
}

/** A form with the button that submits it, and the URL of its page. */
interface Sent {
  readonly form: FormDescription;
  readonly submitter: number | undefined;
  readonly pageUrl: string;
}

/** Without query and path parameters, which can be of the session. */
function destination(form: FormDescription, submitter: number | undefined, pageUrl: string): string {
  const { url, method, enctype } = submissionOf(form, submitter, pageUrl);
  return `${method} ${method === 'post' ? enctype : ''} ${url.origin}${url.pathname.replace(/;.*/s, '')}`;
}

/** https://html.spec.whatwg.org/#the-directionality Deviates from the spec: an ancestor's `dir=auto` is passed over. */
function directionality(
  tree: Tree<Parse5Node, Parse5Element>,
  control: Parse5Element,
  state: ControlState | undefined,
): 'ltr' | 'rtl' {
  const own = tree.attribute(control, 'dir')?.toLowerCase();
  if (own === 'auto')
    return firstStrong(state?.holds === 'value' ? state.value : (tree.attribute(control, 'value') ?? ''));
  if (own === 'ltr' || own === 'rtl') return own;
  if (tree.attribute(control, 'type')?.toLowerCase() === 'tel') return 'ltr';
  for (const up of ancestors(tree, control)) {
    const dir = tree.isElement(up) ? tree.attribute(up, 'dir')?.toLowerCase() : undefined;
    if (dir === 'ltr' || dir === 'rtl') return dir;
  }
  return 'ltr';
}

/** Letters of the bidirectional types R and AL. https://www.unicode.org/reports/tr9/ */
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

function firstStrong(text: string): 'ltr' | 'rtl' {
  const letter = /\p{L}/u.exec(text)?.[0] ?? '';
  return rightToLeft.test(letter) ? 'rtl' : 'ltr';
}
