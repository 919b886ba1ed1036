import { describeForm } from '../../compiler/describe/describe-form.js';
import { annotation } from '../../compiler/describe/label-text.js';
import { readForms } from '../../compiler/describe/scope.js';
import type { FormDescription } from '../../compiler/description.js';
import { readPageBefore, type PageBefore } from '../../compiler/html/page-content.js';
import { createProseReader } from '../../compiler/html/page/prose.js';
import { TreeReader } from '../../compiler/html/tree-reader.js';
import { collapseWhitespace } from '../../compiler/html/text.js';
import { labelOf } from '../../compiler/describe/meaning/preferred-button.js';
import { defaultButton } from '../../compiler/parameters/parameters.js';
import { synthesizeTool } from '../../compiler/profiles/synthesize.js';
import { descendants } from '../../compiler/tree.js';
import type { JsonSchema } from '../../json-schema.js';
import { PageLimitError, parseWithinLimits, type Parse5Element, type Parse5Page } from '../../parse5/parse5-tree.js';
import { decodeBytes } from '../../site/pages/charset.js';
import { createMatcher } from '../../site/pages/glob.js';
import { readingsOf } from '../../site/pages/url-readings.js';
import { missingSecrets } from '../config.js';
import { submissionOf } from '../form-request.js';
import { isPageType, type SiteResponse } from '../response.js';
import { SubmissionError } from '../submission-error.js';

/** A form of an answer that the session can submit next, with the values of the page. */
export interface OfferedForm {
  readonly form: FormDescription;
  /** The URL of the page, without fragment. */
  readonly pageUrl: string;
  readonly encoding: string;
  readonly before: PageBefore;
}

/** An offered form and its description for the client. The description contains text of the page. */
export interface Offer {
  readonly offered: OfferedForm;
  readonly about: {
    /** The purpose of the form, in the words of the page. */
    readonly title: string;
    readonly requestSchema: JsonSchema;
  };
}

/** Data that can be sent to another thread. */
export interface OfferOptions {
  readonly origin: string;
  /** Globs of the paths that the operator allows. The page and the destination of a form must each match a glob. */
  readonly paths: readonly string[];
  /** The control names by tool of the manifest. A form with the name of a tool and only that tool's controls is not offered. */
  readonly tools: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface Offers {
  readonly forms: readonly Offer[];
  readonly omitted: number;
}

const maxForms = 20;
/** The maximum size of all forms as JSON, in characters. */
const maxSize = 200_000;
const maxTitleLength = 200;

type IsAllowed = (url: URL) => boolean;

/** Returns a predicate for allowed URLs. Every way in which a server may decode the path must be allowed. */
function allowedBy({ origin, paths }: Pick<OfferOptions, 'origin' | 'paths'>): IsAllowed {
  const matchers = paths.map(createMatcher);
  return (url) =>
    url.origin === origin &&
    readingsOf({ pathname: url.pathname, search: '' }).every((path) => matchers.some((matches) => matches(path)));
}

/** Whether the operator still allows a form that was offered, possibly by a gateway with other paths. */
export const isStillOffered = ({ form, pageUrl }: OfferedForm, options: OfferOptions): boolean => {
  const isAllowed = allowedBy(options);
  return isAllowed(new URL(pageUrl)) && canBeSubmitted(form, { pageUrl, isAllowed });
};

/** The forms of an answer that the session can submit next, without those in the content of visitors. */
export function offeredForms(response: SiteResponse, { origin, paths, tools }: OfferOptions): Offers {
  const isAllowed = allowedBy({ origin, paths });
  const { bytes, contentType, url, status } = response;
  if (!isPageType(contentType) || status >= 400 || !isAllowed(new URL(url))) return { forms: [], omitted: 0 };
  const { text, encoding } = decodeBytes(bytes, contentType);
  const page = parseWithinLimits(text, false);
  if (page instanceof PageLimitError) return { forms: [], omitted: 0 };
  const found = candidatesOf(page, { url, encoding, isAllowed, tools });
  const forms: Offer[] = [];
  let left = maxSize;
  for (const each of found.slice(0, maxForms)) if ((left -= JSON.stringify(each).length) >= 0) forms.push(each);
  return { forms, omitted: found.length - forms.length };
}

interface Place {
  readonly isAllowed: IsAllowed;
  readonly tools: OfferOptions['tools'];
  readonly url: string;
  readonly encoding: string;
}

function candidatesOf({ tree, document }: Parse5Page, { url, encoding, isAllowed, tools }: Place): readonly Offer[] {
  const proseOf = createProseReader(tree);
  const titles = titlesOf(tree, document);
  const pageUrl = url.replace(/#.*/s, '');
  const found = readForms(tree, document).flatMap(({ form: element, scope }) => {
    const name = annotation(tree, element, 'toolname');
    const title = titles.get(element); // undefined in a shadow root, which can be in the content of visitors
    if (title === undefined || proseOf(element)) return [];
    const { description, controls } = describeForm(tree, element, scope);
    const form = withoutOutside(tree, description, controls);
    const known = name === null ? undefined : tools.get(name);
    if (known && form.controls.every((control) => known.has(control.name))) return [];
    const isMixed = controls.some((control) => isInside(tree, control) && proseOf(control));
    if (isMixed || !canBeSubmitted(form, { pageUrl, isAllowed })) return [];
    const { inputSchema: requestSchema } = synthesizeTool(form, { profile: 'portable' });
    return { element, form, about: { title: titleOf(form, title), requestSchema } };
  });
  const [first, ...others] = found;
  if (!first) return [];
  const before = readPageBefore(tree, document, url, others.length > 0 ? null : first.element, { withText: true });
  return found.map(({ form, about }) => ({ offered: { form, pageUrl, encoding, before }, about }));
}

const isInside = (tree: Parse5Page['tree'], control: Parse5Element): boolean =>
  tree.attribute(control, 'form') === null;

/** Removes controls with the attribute `form`, by which visitors can add controls to a form of the page. */
function withoutOutside(
  tree: Parse5Page['tree'],
  form: FormDescription,
  elements: readonly Parse5Element[],
): FormDescription {
  return { ...form, controls: form.controls.filter((_, index) => isInside(tree, elements[index] as Parse5Element)) };
}

function canBeSubmitted(
  form: FormDescription,
  { pageUrl, isAllowed }: Pick<Place, 'isAllowed'> & { readonly pageUrl: string },
): boolean {
  const button = defaultButton(form);
  const isRefused =
    form.limits !== undefined || form.captcha === 'visible' || form.controls.some((each) => each.captcha);
  if (button < 0 || isRefused || missingSecrets(form, {}).length > 0) return false;
  try {
    return [undefined, ...form.controls.keys()].every((submitter) => {
      const control = submitter === undefined ? undefined : form.controls[submitter];
      if (control && control.attributes.formaction === undefined) return true;
      return isAllowed(submissionOf(form, submitter, pageUrl).url);
    });
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
    return false;
  }
}

/** The heading before each form of the document; the empty string for none. */
function titlesOf(tree: Parse5Page['tree'], document: Parse5Page['document']): ReadonlyMap<Parse5Element, string> {
  const reader = new TreeReader(tree);
  const titles = new Map<Parse5Element, string>();
  let heading: Parse5Element | undefined;
  let title = '';
  for (const node of descendants(tree, document)) {
    if (!tree.isElement(node)) continue;
    if (/^h[1-6]$/.test(tree.localName(node))) heading = node;
    if (tree.localName(node) !== 'form') continue;
    if (heading) [title, heading] = [reader.descendantTextContent(heading), undefined];
    titles.set(node, title);
  }
  return titles;
}

/** The title of the form, or else the heading before it, or else its description; and the label of its default button. */
function titleOf(form: FormDescription, heading: string): string {
  const button = form.controls[defaultButton(form)];
  const title = form.tool.title ?? (heading || (form.tool.description ?? ''));
  return [title, button ? labelOf(button) : '']
    .map((each) => collapseWhitespace(each).slice(0, maxTitleLength))
    .filter(Boolean)
    .join(': ');
}
