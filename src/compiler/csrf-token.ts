/**
 * The names that frameworks give to tokens against request forgery, which differ in each form of a page. A visitor who writes
 * such a value gains nothing, because a site rejects the token of somebody else, and reads nothing else from it.
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

/** Names that contain more, which a site can read as another parameter: PHP reads `delete[csrf]` as `delete`. */
const furtherNames: readonly RegExp[] = [
  /csrf|xsrf/i,
  /(?:^|[^a-z])(?:wp)?nonce(?![a-z])/i, // WordPress. Not `annonce`
  /[a-z]Nonce(?![a-z])/,
  /\[_token\]$|^_Token\[(?:fields|unlocked|debug)\]$/, // Symfony, CakePHP
];

/** Whether the name of a control or of a parameter is exactly the name of a framework's token. */
export const isFrameworkToken = (name: string): boolean => frameworkNames.some((each) => each.test(name));

/** Whether the name of a control or of a parameter is that of a token against request forgery. */
export const isCsrfName = (name: string): boolean =>
  isFrameworkToken(name) || furtherNames.some((each) => each.test(name));
