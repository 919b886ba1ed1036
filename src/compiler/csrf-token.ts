/**
 * The names that frameworks use for CSRF tokens, whose values can differ in each form of a page. A visitor who adds a
 * control with such a name to a page gains nothing: the site uses the value only as a token, and rejects the token of
 * another user.
 */
const frameworkNames: readonly RegExp[] = [
  /^(?:x-|yii_|owasp[_-])?_*[cx]srf(?:_test_name|middlewaretoken|-(?:front|back)end|[_-]?(?:token|magic|key))?$/i, // Django, Spring, ...
  /^(?:_wp|_ajax_)?nonce$|^meta-box-order-nonce$/, // WordPress
  /^(?:closedpostboxes|samplepermalink|getpermalink|autosave)nonce$/i, // WordPress
  /^_wp_unfiltered_html_comment(?:_disabled)?$/i,
  /^_*(?:authenticity|requestverification|wpedit|wplogin|wpcreateaccount|xf)_?token$/i, // Rails, ASP.NET, MediaWiki, XenForo
  /^_token$/, // Laravel
  /^(?:sectok|sesskey|form_key|my_post_key|fkey|_authenticator)$/, // DokuWiki, Moodle, Magento, MyBB, Stack Exchange, Plone
];

/** Names that contain the name of a token. A site can read them as another parameter: PHP reads `delete[csrf]` as `delete`. */
const furtherNames: readonly RegExp[] = [
  /csrf|xsrf/i,
  /(?:^|[^a-z])(?:wp)?nonce(?![a-z])/i, // WordPress. Not `annonce`
  /[a-z]Nonce(?![a-z])/,
  /\[_token\]$|^_Token\[(?:fields|unlocked|debug)\]$/, // Symfony, CakePHP
];

/** Whether the name of a control or parameter is exactly the name of a framework's CSRF token. */
export const isFrameworkToken = (name: string): boolean => frameworkNames.some((each) => each.test(name));

/** Whether the name of a control or parameter is, or contains, the name of a CSRF token. */
export const isCsrfName = (name: string): boolean =>
  isFrameworkToken(name) || furtherNames.some((each) => each.test(name));
