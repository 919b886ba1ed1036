import { sha256 } from '@noble/hashes/sha2.js';
import { isCsrfName, isFrameworkToken } from '../../compiler/csrf-token.js';
import type { ControlDescription, FormDescription } from '../../compiler/description.js';

/** Names of tokens and page state besides CSRF tokens. Such a token can also have another purpose, such as an invitation. */
const tokenNames: readonly RegExp[] = [
  /^_*(?:(?:security|form|request|login|edit)_?)?token$/i,
  /^__(?:VIEWSTATE\w*|EVENTVALIDATION|PREVIOUSPAGE)$|^form_build_id$/, // signed or stored by the site: ASP.NET, Drupal
];

/** Whether the name of a control or parameter can be the name of a token or of page state. */
export const isTokenName = (name: string): boolean => isCsrfName(name) || tokenNames.some((each) => each.test(name));

/** The names of hidden controls, besides tokens, that a site renews. `beside` must match another hidden control of the form. */
const renewedNames: readonly { readonly names: RegExp; readonly beside?: RegExp }[] = [
  // The version that an edit is based on. Sites report a conflict for another version.
  {
    names:
      /^(?:lock_version|\w+\[lock_version\]|changecheck|wpEdittime|wpStarttime|wpAutoSummary|editRevId|parentRevId)$/,
  },
  { names: /^last_journal_id$/, beside: /^issue\[lock_version\]$/ }, // Redmine
  { names: /^date$/, beside: /^changecheck$/ }, // DokuWiki
  // WordPress creates a draft for each view of an editor. These are its ID and time. The nonce is valid for one user.
  { names: /^(?:post_ID|ss|(?:hidden|cur)_(?:aa|mm|jj|hh|mn))$/, beside: /^_wpnonce$/ },
  // The rows of a Django formset. Django accepts only rows of the edited record.
  { names: /-(?:TOTAL|INITIAL)_FORMS$/ },
  { names: /-\d+-\w+$/, beside: /-TOTAL_FORMS$/ },
];

/**
 * Returns a predicate for the names of a form whose values the site renews. A name that looks like a token counts only if the
 * form has it, unless it is the name of a framework's token.
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
 * The hash of a hidden value, so that a page can be compared with a manifest that does not contain the value. Finding another
 * value with the same hash is infeasible, but a short value can be guessed.
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
