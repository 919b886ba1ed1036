import { getter, setter } from '../../../../src/platform/primordials.js';

const adoptStyles = setter<Document, readonly CSSStyleSheet[]>('Document', 'adoptedStyleSheets');
const sheetsOf = getter<Document, StyleSheetList>('Document', 'styleSheets');
const lengthOf = getter<StyleSheetList, number>('StyleSheetList', 'length');

/** Styles in a layer lose to all styles of the page. */
const base = new CSSStyleSheet();
base.replaceSync(`@layer playground {
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  input, select, textarea, button { font: inherit; }
}`);

/** Shows a page without style sheets in the fonts of the system, and in the color scheme of the playground. */
export function addBaseStyles(document: Document): void {
  if (lengthOf(sheetsOf(document)) === 0) adoptStyles(document, [base]);
}
