import { describeForm } from '../../compiler/describe/describe-form.js';
import { annotation } from '../../compiler/describe/label-text.js';
import { readForms, type FoundForm } from '../../compiler/describe/scope.js';
import type { ControlDescription, FormDescription } from '../../compiler/description.js';
import { entryList, isCharset } from '../../compiler/input/entry-list.js';
import { formState, type ControlState } from '../../compiler/input/form-state.js';
import { preview } from '../../compiler/preview.js';
import { ancestors, descendants } from '../../compiler/tree.js';
import { canonicalJson } from '../../json.js';
import { parsePage, type Parse5Element, type Parse5Page } from '../../parse5/parse5-tree.js';
import { decodeBytes } from '../../site/pages/charset.js';
import { findToolElements } from '../../site/tools/tool-elements.js';
import { hasUnknownOptions } from '../constraints/constraints.js';
import type { SubmissionError } from '../submission-error.js';
import { hideSecrets } from '../secrets/hide-secrets.js';
import { isTokenName, secretsIn } from '../secrets/random-values.js';
import { pageSecret, sentSecrets, type SentSecret } from '../secrets/sent-secrets.js';
import { displayUrl } from '../secrets/display-url.js';
import { parseLimits, readResponse, siteText } from '../response.js';
import { isSecret } from '../../compiler/profiles/redact.js';
import { submissionOf } from '../form-request.js';
import type { PageTask } from './page-request.js';
import { driftError, missingFormError, statusError, unavailable, type FetchedPage } from './page-status.js';

export interface PageForm {
  readonly form: FormDescription;
  readonly encoding: string;
  directionOf(control: number, states: readonly ControlState[]): 'ltr' | 'rtl';
  /** Creates the error of a page that differs from the manifest. */
  readonly drift: (reason: string) => SubmissionError;
}

/** Whether a submission depends on data that manifests omit: values of hidden controls, secrets, personal data, directions. */
export const needsPage = (form: FormDescription, set: ReadonlySet<number>): boolean =>
  form.controls.some((control, index) => {
    if (control.disabled || control.name === '') return false;
    if (control.attributes.dirname) return true;
    const isOmitted = control.prefilled === true || (isSecret(control) && !isCharset(control));
    return isOmitted && (hasUnknownOptions(control) || !set.has(index));
  });

/** A fetched page, the form of the manifest, and the secrets that messages must not contain. */
type PageSearch = Pick<PageTask, 'response' | 'known' | 'pageUrl' | 'headers' | 'cookies'>;

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
  const { form, controls } = findForm(page, known.form, fetched);
  if (form.limits?.some(({ what }) => what === 'size')) {
    throw unavailable(fetched, 'has a form beyond the limits: it has too many controls or options.');
  }
  const directionOf = (index: number, states: readonly ControlState[]): 'ltr' | 'rtl' =>
    directionality(page.tree, controls[index] as Parse5Element, states[index]);
  return { form, encoding, directionOf, drift: (reason) => driftError(reason, fetched) };
}

const maxPageTextLength = 500;

function pageText({ response, known, headers, cookies }: PageSearch, html: string): string {
  if (!/\bhtml\b/i.test(response.contentType)) return '';
  const values = [...sentSecrets(known), ...hiddenSecrets(html)];
  return siteText(hideSecrets(readResponse(response), { values, headers, cookies }), maxPageTextLength);
}

/** The secrets in the hidden inputs of all forms of a page, and in its metadata. */
function hiddenSecrets(html: string): readonly SentSecret[] {
  try {
    const { tree, document } = parsePage(html, parseLimits);
    return [...descendants(tree, document)].flatMap((node) => (tree.isElement(node) ? secretOf(tree, node) : []));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return []; // the text of such a page is its markup
  }
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
  const isHtml = /^\s*(?:$|;|text\/html|application\/xhtml\+xml)/i.test(contentType);
  if (!isHtml) throw unavailable(fetched, 'responded with another type than HTML.');
  try {
    return parsePage(fetched.html, parseLimits);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw unavailable(fetched, `has a page beyond the limits: ${error.message}`);
  }
}

interface DescribedForm {
  readonly form: FormDescription;
  readonly controls: readonly Parse5Element[];
}

/**
 * Finds the forms of a tool by its name, as the compiler does: annotated forms, or else those of `<webmcp-tool>` elements.
 */
export function findToolForms(page: Parse5Page, name: string): readonly FoundForm<Parse5Element>[] {
  const { tree, document, mayHaveToolElements } = page;
  const forms = readForms(tree, document);
  const annotated = forms.filter(({ form }) => annotation(tree, form, 'toolname') === name);
  if (annotated.length > 0 || !mayHaveToolElements) return annotated;
  const found = findToolElements(page).found.flatMap(({ element, form, conflict }) =>
    form && !conflict && tree.attribute(element, 'name') === name ? form : [],
  );
  return found.flatMap((each) => forms.find(({ form }) => form === each) ?? []);
}

const maxForms = 200;

/** Finds a form by the name of its tool, as the compiler does, or else by its destination and all of its controls. */
function findForm(page: Parse5Page, known: FormDescription, fetched: FetchedPage): DescribedForm {
  const { tree, document } = page;
  const describe = ({ form, scope }: FoundForm<Parse5Element>): DescribedForm => {
    const { description, controls } = describeForm(tree, form, scope);
    return { form: description, controls };
  };
  const { name } = known.tool;
  const named = name === null ? [] : findToolForms(page, name).slice(0, maxForms).map(describe);
  if (named.length > 0) return selectNamed(named, known, fetched);
  const forms = readForms(tree, document).slice(0, maxForms).map(describe);
  const similar = forms.filter(({ form }) => isSameForm(known, form, fetched, isCompared));
  const [form] = similar;
  if (form && similar.length === 1) return form;
  const which = form ? `${similar.length} forms that are like` : `${forms.length > 0 ? 'no form like' : 'no form for'}`;
  throw missingFormError(fetched, name, `${which} the tool ${preview(name)}, and no form has its name`);
}

/**
 * Selects one of the forms that have the name of a tool. Usually it is the only one. Others can be in content that visitors
 * have written, so a form with further controls is not used instead of the form of the manifest, and neither is one of
 * several forms that submit different values.
 */
function selectNamed(named: readonly DescribedForm[], known: FormDescription, fetched: FetchedPage): DescribedForm {
  const [first] = named as readonly [DescribedForm, ...DescribedForm[]];
  if (named.length === 1) return first;
  const same = named.filter(({ form }) => isSameDestination(known, form, fetched));
  const equal = same.filter(({ form }) => namesOf(known, isNamed) === namesOf(form, isNamed));
  const [chosen = first, ...others] = equal.length > 0 ? equal : same;
  const submission = submissionText(chosen, fetched);
  if (others.every((other) => submissionText(other, fetched) === submission)) return chosen;
  throw driftError(`${displayUrl(fetched.url)} has different forms for the tool ${preview(known.tool.name)}`, fetched);
}

/** The values that a form submits without input. Tokens can differ in each form. */
function submissionText({ form }: DescribedForm, { url }: FetchedPage): string {
  const { href } = submissionOf(form, undefined, url).url;
  const entries = entryList(form, formState(form)).map(({ name, value }) =>
    isTokenName(name) || (typeof value === 'string' && secretsIn(name, value).length > 0) ? [name] : [name, value],
  );
  return canonicalJson([href, namesOf(form, isNamed), entries]);
}

/** Whether a form has the same destination and the same controls. */
const isSameForm = (
  known: FormDescription,
  form: FormDescription,
  fetched: FetchedPage,
  isIncluded: (control: ControlDescription) => boolean,
): boolean => isSameDestination(known, form, fetched) && namesOf(known, isIncluded) === namesOf(form, isIncluded);

function isSameDestination(known: FormDescription, form: FormDescription, { pageUrl, url }: FetchedPage): boolean {
  const before = destination(known, undefined, pageUrl);
  try {
    return destination(form, undefined, url).text === before.text;
  } catch {
    return false; // the form cannot be submitted over HTTP
  }
}

const namesOf = ({ controls }: FormDescription, isIncluded: (control: ControlDescription) => boolean): string =>
  canonicalJson(
    controls
      .filter(isIncluded)
      .map(({ type, name }) => `${type} ${name}`)
      .sort(),
  );

const isNamed = ({ name }: ControlDescription): boolean => name !== '';

const ignoredTypes = new Set(['hidden', 'output', 'fieldset', 'object', 'button', 'reset']);
const isCompared = ({ type, name }: ControlDescription): boolean => name !== '' && !ignoredTypes.has(type);

interface SubmittedForm {
  readonly form: FormDescription;
  readonly submitter: number | undefined;
  readonly pageUrl: string;
}

/**
 * Checks that a form is submitted to the same destination as in the manifest.
 *
 * @throws {SubmissionError} `page-drift`
 */
export function checkDestination(known: SubmittedForm, current: SubmittedForm & Pick<PageForm, 'drift'>): void {
  const [before, after] = [known, current].map(({ form, submitter, pageUrl }) => destination(form, submitter, pageUrl));
  if (!before || !after || (before.text === after.text && !differInWords(before.query, after.query))) return;
  const place = displayUrl(current.pageUrl);
  throw current.drift(`the form of ${place} is submitted by ${after.display} instead of ${before.display}`);
}

interface Destination {
  /** Excludes the query and path parameters, because they can be specific to a session. */
  readonly text: string;
  /** Empty for GET, which replaces it. */
  readonly query: URLSearchParams;
  readonly display: string;
}

function destination(form: FormDescription, submitter: number | undefined, pageUrl: string): Destination {
  const { url, method, enctype } = submissionOf(form, submitter, pageUrl);
  const kind = method === 'post' ? `POST ${enctype}` : 'GET';
  return {
    text: `${kind} ${url.origin}${url.pathname.replace(/;.*/s, '')}`,
    query: new URLSearchParams(method === 'post' ? url.search : ''),
    display: `${kind} to ${displayUrl(url, { query: method === 'post' })}`,
  };
}

/**
 * Whether a parameter of the manifest has another word: `action=trash` instead of `action=edit`, or after it. Numbers and
 * tokens may differ, and the page may add parameters, such as a language.
 */
const differInWords = (before: URLSearchParams, after: URLSearchParams): boolean =>
  [...new Set(before.keys())].some((name) => {
    const known = before.getAll(name);
    return after.getAll(name).some((value, at) => value !== known[at] && isWord(value) && isWord(known[at] ?? value));
  });

const isWord = (text: string): boolean => /^[a-z][a-z_-]{0,31}$/i.test(text);

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
