import type { FormDescription } from '../../compiler/description.js';
import { readPageBefore, type PageBefore } from '../../compiler/html/page-content.js';
import { textDirection } from '../../compiler/html/language.js';
import type { ControlState } from '../../compiler/input/form-state.js';
import { ancestors, descendants } from '../../compiler/tree.js';
import { lazy } from '../../lazy.js';
import { PageLimitError, parseWithinLimits, type Parse5Element, type Parse5Page } from '../../parse5/parse5-tree.js';
import { decodeBytes } from '../../site/pages/charset.js';
import type { ToolAnswer } from '../../webtool-client/calls.js';
import type { SubmissionError } from '../submission-error.js';
import { hideSecrets, hideInData } from '../secrets/hide-secrets.js';
import { pageSecret, sentSecrets, type SentSecret, type SentSecrets } from '../secrets/sent-secrets.js';
import { isPageType, readResponse, siteText } from '../response.js';
import { isSecret } from '../../compiler/profiles/redact.js';
import type { PageTask } from './page-request.js';
import { driftError, statusError, unavailable, type FetchedPage } from './page-status.js';
import { selectForm } from './select-form.js';
import { defaultOf } from '../../compiler/parameters/defaults.js';
import type { ControlGroup, Parameter } from '../../compiler/parameters/parameters.js';
import { resolveSynthesis } from '../../compiler/profiles/synthesize.js';
import { parametersOf } from '../../compiler/tool.js';
import type { JsonValue } from '../../json-schema.js';

export interface PageForm {
  readonly form: FormDescription;
  readonly encoding: string;
  readonly before: () => PageBefore;
  directionOf(control: number, states: readonly ControlState[]): 'ltr' | 'rtl';
  /** The page as an answer, without the secrets of the page, the configuration and the session. */
  readonly answer: () => ToolAnswer;
  /** The secrets of the page, the configuration and the session. */
  readonly secrets: () => SentSecrets;
  /** Creates the error for a page that differs from the manifest. */
  readonly drift: (reason: string) => SubmissionError;
}

/** A fetched page, the form of the manifest, and the secrets that messages must not contain. */
export type PageSearch = Pick<PageTask, 'response' | 'known' | 'config' | 'pageUrl' | 'headers' | 'cookies'>;

/**
 * Finds the form of the manifest in a fetched page.
 *
 * @throws {SubmissionError} `login-required`, `page-not-found`, `page-forbidden`, `page-unavailable`, `page-drift`
 */
export function findPageForm(search: PageSearch): PageForm {
  const { response, known, pageUrl } = search;
  const { status, url, bytes, contentType } = response;
  const { text: html, encoding } = decodeBytes(bytes, contentType);
  const fetched: FetchedPage = { pageUrl, url, status, html, text: () => pageText(search, html) };
  const page = parseFetched(fetched, contentType);
  const { element, form, controls } = selectForm(page, { known: known.form, config: search.config }, fetched);
  const directionOf = (index: number, states: readonly ControlState[]): 'ltr' | 'rtl' =>
    directionality(page.tree, controls[index] as Parse5Element, states[index]);
  const before = (): PageBefore =>
    readPageBefore(page.tree, page.document, url, element, { withText: form.method === 'post' });
  return {
    form,
    encoding,
    before: html.length > maxRetainedLength ? constant(before()) : lazy(before),
    directionOf,
    answer: () => pageAnswer(search, html),
    secrets: () => secretsOf(search, html),
    drift: (reason) => driftError(reason, fetched),
  };
}

/** The maximum length of a page whose tree is retained until the answer arrives. */
const maxRetainedLength = 50_000;

const constant =
  <Value>(value: Value): (() => Value) =>
  () =>
    value;

const maxPageTextLength = 500;

const pageText = (search: PageSearch, html: string): string =>
  /\bhtml\b/i.test(search.response.contentType) ? siteText(pageAnswer(search, html), maxPageTextLength) : '';

const pageAnswer = (search: PageSearch, html: string): ToolAnswer =>
  hideSecrets(readResponse(search.response), secretsOf(search, html));

function secretsOf({ known, config, headers, cookies }: PageSearch, html: string): SentSecrets {
  const configured = known.form.controls.flatMap((control): readonly SentSecret[] => {
    const { name } = control;
    const value = isSecret(control) && Object.hasOwn(config.values ?? {}, name) ? (config.values?.[name] ?? []) : [];
    return [value].flat().map((each) => ({ name, value: each, isPageValue: false, secrets: [] }));
  });
  return { values: [...sentSecrets(known), ...configured, ...hiddenSecrets(html)], headers, cookies };
}

/** The secrets in the hidden inputs of all forms of a page, and in its metadata. */
function hiddenSecrets(html: string): readonly SentSecret[] {
  const page = parseWithinLimits(html, false);
  if (page instanceof PageLimitError) return []; // the answer contains the markup of such a page
  const { tree, document } = page;
  return [...descendants(tree, document)].flatMap((node) => (tree.isElement(node) ? secretOf(tree, node) : []));
}

function secretOf(tree: Parse5Page['tree'], element: Parse5Element): readonly SentSecret[] {
  const isHidden = tree.localName(element) === 'input' && tree.attribute(element, 'type')?.toLowerCase() === 'hidden';
  const value = tree.attribute(element, isHidden ? 'value' : 'content');
  if (value === null || (!isHidden && tree.localName(element) !== 'meta')) return [];
  return pageSecret(tree.attribute(element, 'name') ?? '', value);
}

function parseFetched(fetched: FetchedPage, contentType: string): Parse5Page {
  const error = statusError(fetched);
  if (error) throw error;
  if (!isPageType(contentType)) throw unavailable(fetched, 'responded with a type other than HTML.');
  const page = parseWithinLimits(fetched.html, false);
  if (page instanceof PageLimitError) throw unavailable(fetched, `has a page beyond the limits: ${page.message}`);
  return page;
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

export interface FormValues extends ToolAnswer {
  /** By parameter of the form's tool. Null for an empty value that is not a boolean or a list. */
  readonly values: Readonly<Record<string, JsonValue>>;
}

/** Reads the values of a form from the response with its page. Hides secrets of the page and of the session. */
export function readForm(task: PageSearch): FormValues {
  const { form, answer, secrets } = findPageForm(task);
  const synthesis = resolveSynthesis({ profile: 'portable', sensitive: 'exclude' });
  const values = parametersOf(form, synthesis).flatMap((parameter) => {
    const value = valueOf(form, parameter);
    return value === undefined ? [] : [[parameter.name, value] as const];
  });
  return { ...answer(), values: hideInData(Object.fromEntries(values), secrets()) };
}

/** The value of a parameter; undefined for files, custom elements, buttons, hidden and secret controls. */
function valueOf(form: FormDescription, { units }: Parameter): JsonValue | undefined {
  const values = units.map((unit) => unitValue(form, unit));
  if (values.includes(undefined)) return undefined;
  return values.length === 1 ? values[0] : (values as JsonValue[]);
}

function unitValue(form: FormDescription, unit: ControlGroup): JsonValue | undefined {
  if (/^(?:file|custom|submitter)$/.test(unit.kind)) return undefined;
  if (unit.controls.some((index) => isSecret(form.controls[index] as FormDescription['controls'][number])))
    return undefined;
  const empty = unit.kind === 'boolean' ? false : /^(?:checkboxes|select-multiple)$/.test(unit.kind) ? [] : null;
  return defaultOf(form, unit) ?? empty;
}
