export function internalsOf(element: HTMLElement): ElementInternals | undefined {
  try {
    return element.attachInternals();
  } catch {
    return undefined; // another script has attached them
  }
}

let sheet: CSSStyleSheet | undefined;

/** Nothing of its own, and its parameters hidden. */
export function showContents(element: HTMLElement): void {
  if (element.shadowRoot) return;
  sheet ??= new CSSStyleSheet();
  if (sheet.cssRules.length === 0) sheet.replaceSync(':host{display:contents}::slotted(webmcp-param){display:none}');
  const root = element.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheet];
  root.append(document.createElement('slot'));
}
