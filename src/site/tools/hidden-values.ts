import { sha256 } from '@noble/hashes/sha2.js';
import { isCsrfName, isFrameworkToken } from '../../compiler/csrf-token.js';
import type { ControlDescription, FormDescription } from '../../compiler/description.js';

/** Other names of tokens and of the state of a page. A token can also mean something else, such as an invitation. */
const tokenNames: readonly RegExp[] = [
  /^_*(?:(?:security|form|request|login|edit)_?)?token$/i,
  /^__(?:VIEWSTATE\w*|EVENTVALIDATION|PREVIOUSPAGE)$|^form_build_id$/, // signed or stored: ASP.NET, Drupal
];

/** Whether the name of a control or of a parameter is that of a token against request forgery. */
export const isTokenName = (name: string): boolean => isCsrfName(name) || tokenNames.some((each) => each.test(name));

/** The names of other hidden controls whose values a site renews. With `beside`, only if the form has such a hidden control too. */
const renewedNames: readonly { readonly names: RegExp; readonly beside?: RegExp }[] = [
  // The version that an edit is based on. Another version makes the site report a conflict.
  {
    names:
      /^(?:lock_version|\w+\[lock_version\]|changecheck|wpEdittime|wpStarttime|wpAutoSummary|editRevId|parentRevId)$/,
  },
  { names: /^last_journal_id$/, beside: /^issue\[lock_version\]$/ }, // Redmine
  { names: /^date$/, beside: /^changecheck$/ }, // DokuWiki
  // The draft that WordPress creates for each view of an editor, and its time. The nonce is only valid for the user who sees it.
  { names: /^(?:post_ID|ss|(?:hidden|cur)_(?:aa|mm|jj|hh|mn))$/, beside: /^_wpnonce$/ },
  // The rows of a list that users extend. Django accepts only the rows of the record that is edited.
  { names: /-(?:TOTAL|INITIAL)_FORMS$/ },
  { names: /-\d+-\w+$/, beside: /-TOTAL_FORMS$/ },
];

/**
 * Returns a predicate for the names of one form whose values the site renews. A name that merely looks like a token
 * counts only if the form has it: otherwise it can be any other parameter.
 */
export function renewedIn(form: FormDescription): (name: string) => boolean {
  const { controls } = form;
  const known = new Set([...controls.map(({ name }) => name), ...parameterNames(form)]);
  const hidden = controls.flatMap(({ type, name }) => (type === 'hidden' ? name : []));
  const rows = renewedNames.filter(({ beside }) => !beside || hidden.some((name) => beside.test(name)));
  const isToken = (name: string): boolean => isTokenName(name) && (known.has(name) || isFrameworkToken(name));
  return (name) => isToken(name) || rows.some(({ names }) => names.test(name));
}

const parameterNames = ({ action, controls }: FormDescription): readonly string[] =>
  [action, ...controls.map(({ attributes }) => attributes.formaction)].flatMap((url) => {
    const [, query] = /^[^?#]*\?([^#]*)/.exec(url ?? '') ?? [];
    return [...new URLSearchParams(query).keys()];
  });

const fingerprintBytes = 12;

/**
 * A hash of a hidden value, so that a page can be compared with a manifest that does not contain the value. It is too long
 * to find another value that has it. Whoever guesses a short value can check the guess.
 */
export function fingerprintOf({ name, attributes, defaultText }: ControlDescription): string {
  const value = attributes.value ?? defaultText ?? '';
  const bytes = sha256(new TextEncoder().encode(JSON.stringify([name, value])));
  return btoa(String.fromCharCode(...bytes.subarray(0, fingerprintBytes)));
}

/** Whether users cannot change a control. */
export const isFixed = ({ type, readonly }: ControlDescription): boolean => type === 'hidden' || readonly === true;

/** Whether the value of a control is compared with the manifest, unless the site renews it. */
const isComparedValue = (control: ControlDescription): boolean =>
  isFixed(control) && control.name !== '' && !control.disabled && !control.sensitive;

/** Adds the fingerprints of the hidden values of a form to its redacted description. */
export function withFingerprints(redacted: FormDescription, { controls }: FormDescription): FormDescription {
  const isRenewed = renewedIn(redacted);
  return {
    ...redacted,
    controls: redacted.controls.map((control, index) =>
      isComparedValue(control) && !isRenewed(control.name)
        ? { ...control, fingerprint: fingerprintOf(controls[index] as ControlDescription) }
        : control,
    ),
  };
}
