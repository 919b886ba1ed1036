import { sha256 } from '@noble/hashes/sha2.js';
import type { ControlDescription, FormDescription } from '../../compiler/description.js';

/**
 * The names of tokens against request forgery: of hidden controls, and of parameters in the URL of a form. A visitor who
 * writes such a value gains nothing, because a site rejects the token of somebody else, and reads nothing else from it.
 */
const tokenNames: readonly RegExp[] = [
  /csrf|xsrf|nonce|^_wp_unfiltered_html_comment(?:_disabled)?$/i, // Django, CodeIgniter, Spring, WordPress, ...
  /^_*(?:(?:authenticity|security|form|request|requestverification|login|edit|wpedit|wplogin|wpcreateaccount|xf)_?)?token$/i, // Rails, Laravel, ...
  /\[_token\]$|^_Token\[(?:fields|unlocked|debug)\]$/, // Symfony, CakePHP
  /^(?:sectok|sesskey|form_key|my_post_key|fkey|_authenticator)$/, // DokuWiki, Moodle, Magento, MyBB, Stack Exchange, Plone
  /^__(?:VIEWSTATE\w*|EVENTVALIDATION|PREVIOUSPAGE)$|^form_build_id$/, // the state of a page, signed or stored: ASP.NET, Drupal
];

/** Whether the name of a control or of a parameter is that of a token against request forgery. */
export const isTokenName = (name: string): boolean => tokenNames.some((each) => each.test(name));

/** The names of other hidden controls whose values a site renews, and of another one that their form must have. */
const renewedNames: readonly { readonly names: RegExp; readonly beside?: RegExp }[] = [
  // The version that an edit is based on. Another version makes the site report a conflict.
  { names: /^(?:lock_version|changecheck|wpEdittime|wpStarttime|wpAutoSummary|editRevId|parentRevId)$/ },
  { names: /^date$/, beside: /^changecheck$/ }, // DokuWiki
  // The draft that WordPress creates for each view of an editor, and its time. The nonce is only valid for the user who sees it.
  { names: /^(?:post_ID|ss|(?:hidden|cur)_(?:aa|mm|jj|hh|mn))$/, beside: /^_wpnonce$/ },
  // The rows of a list that users extend. Django accepts only the rows of the record that is edited.
  { names: /-(?:TOTAL|INITIAL)_FORMS$/ },
  { names: /-\d+-\w+$/, beside: /-TOTAL_FORMS$/ },
];

/** Returns whether the site renews the value of a name, for the hidden controls of one form. */
export function renewedIn({ controls }: FormDescription): (name: string) => boolean {
  const hidden = controls.flatMap(({ type, name }) => (type === 'hidden' ? name : []));
  const rows = renewedNames.filter(({ beside }) => !beside || hidden.some((name) => beside.test(name)));
  return (name) => isTokenName(name) || rows.some(({ names }) => names.test(name));
}

const fingerprintBytes = 12;

/**
 * A hash of a hidden value, so that a page can be compared with a manifest that does not contain the value. It is too long
 * to find another value that has it. Whoever guesses a short value can check the guess.
 */
export function fingerprintOf({ name, attributes: { value = '' } }: ControlDescription): string {
  const bytes = sha256(new TextEncoder().encode(JSON.stringify([name, value])));
  return btoa(String.fromCharCode(...bytes.subarray(0, fingerprintBytes)));
}

/** Whether the value of a control is compared with the manifest, unless the site renews it. */
export const isHiddenValue = ({ type, name, disabled, sensitive }: ControlDescription): boolean =>
  type === 'hidden' && name !== '' && !disabled && !sensitive;

/** Adds the fingerprints of the hidden values of a form to its redacted description. */
export function withFingerprints(redacted: FormDescription, { controls }: FormDescription): FormDescription {
  const isRenewed = renewedIn(redacted);
  return {
    ...redacted,
    controls: redacted.controls.map((control, index) =>
      isHiddenValue(control) && !isRenewed(control.name)
        ? { ...control, fingerprint: fingerprintOf(controls[index] as ControlDescription) }
        : control,
    ),
  };
}
