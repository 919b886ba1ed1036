/** Whether the source of a page has a password input, as logins have. */
export const hasPasswordInput = (html: string): boolean => passwordInput.test(html);

/** The attributes before `type` cannot contain another tag, so that the time is proportional to the page. */
const passwordInput = /<input\b[^<>]{0,500}?\btype\s{0,20}=\s{0,20}["']?password\b/i;

const loginPath = /\b(?:log|sign)[-_]?[io]n\b|\bauth\b|\bsso\b/i;

/** Whether the path of a URL, after a redirect, is probably the path of a login. */
export const isLoginPath = (path: string): boolean => loginPath.test(path);
