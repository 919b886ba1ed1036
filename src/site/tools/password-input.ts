/** Whether the source of a page has a password input, as a login has. */
export const hasPasswordInput = (html: string): boolean => passwordInput.test(html);

/** The attributes before `type` cannot contain another tag, so that the time is proportional to the page. */
const passwordInput = /<input\b[^<>]{0,500}?\btype\s{0,20}=\s{0,20}["']?password\b/i;
