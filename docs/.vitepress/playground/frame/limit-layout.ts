import { query } from '../../../../src/browser/dom/dom-tree.js';
import { setter } from '../../../../src/platform/primordials.js';

const maxSpan = 50;
const setStyleSheets = setter<Document, readonly CSSStyleSheet[]>('Document', 'adoptedStyleSheets');

/**
 * Removes what can make the layout of a small page take minutes, where the frame shares its thread with the page around it.
 * The policy of the frame blocks styles.
 */
export function limitLayout(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':is(svg, math, frameset, canvas, video, audio) { display: none !important }');
  setStyleSheets(document, [sheet]);
  for (const cell of query(document, '[rowspan], [colspan]'))
    for (const name of ['rowspan', 'colspan'])
      if (Number(cell.getAttribute(name)) > maxSpan) cell.setAttribute(name, String(maxSpan));
}
