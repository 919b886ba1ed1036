/** A pattern's matches, as HTML defines them: `null` for an invalid pattern. */
export const match = (cases: readonly { readonly pattern: string; readonly texts: readonly string[] }[]) =>
  cases.map(({ pattern, texts }) => {
    const expression = compile(pattern);
    return expression && texts.map((text) => expression.test(text));
  });

/** https://html.spec.whatwg.org/#compiled-pattern-regular-expression */
function compile(pattern: string): RegExp | null {
  try {
    new RegExp(pattern, 'v');
    return new RegExp(`^(?:${pattern})$`, 'v');
  } catch {
    return null;
  }
}
