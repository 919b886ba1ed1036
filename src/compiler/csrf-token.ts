/**
 * The names of tokens against request forgery, which differ in each form of a page. A visitor who writes such a value gains
 * nothing, because a site rejects the token of somebody else, and reads nothing else from it.
 */
const names: readonly RegExp[] = [
  /csrf|xsrf/i, // Django, CodeIgniter, Spring, ...
  /(?:^|[^a-z])(?:wp)?nonce(?![a-z])/i, // WordPress. Not `annonce`
  /[a-z]Nonce(?![a-z])/,
  /^(?:closedpostboxes|samplepermalink|getpermalink|autosave)nonce$/i, // WordPress
  /^_wp_unfiltered_html_comment(?:_disabled)?$/i,
  /^_*(?:authenticity|requestverification|wpedit|wplogin|wpcreateaccount|xf)_?token$/i, // Rails, ASP.NET, MediaWiki, XenForo
  /^_token$|\[_token\]$|^_Token\[(?:fields|unlocked|debug)\]$/, // Laravel, Symfony, CakePHP
  /^(?:sectok|sesskey|form_key|my_post_key|fkey|_authenticator)$/, // DokuWiki, Moodle, Magento, MyBB, Stack Exchange, Plone
];

/** Whether the name of a control or of a parameter is that of a token against request forgery. */
export const isCsrfName = (name: string): boolean => names.some((each) => each.test(name));
