/** Whether the source of a page has a password input, as a login has. */
export const hasPasswordInput = (html: string): boolean => passwordInput.test(html);

const passwordInput = /<input\b[^>]{0,500}\btype\s*=\s*["']?password\b/i;
