// The pages of Formasaurus, whose forms and fields people have labelled: formasaurus/data of
// github.com/scrapinghub/Formasaurus (MIT), which is not part of this project. HALF=odd reads the pages with odd
// numbers, which are for evaluation. The other pages are for development.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const half = process.env.HALF === 'odd' ? 'odd' : 'even';

/** The name, the text, the types of the forms and the types of their fields of each page. */
export function* labelledPages(folder) {
  if (!folder) throw new Error('Name the folder formasaurus/data of a copy of the data set.');
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
  for (const [file, { forms, visible_html_fields: fields = [] }] of Object.entries(index)) {
    const number = Number(/(\d+)\.html$/.exec(file)?.[1]);
    if (number % 2 === (half === 'odd' ? 0 : 1)) continue;
    yield { file, html: decode(readFileSync(join(folder, file))), forms, fields };
  }
}

/** The data set stores most pages as UTF-8, whichever encoding they declare. */
function decode(bytes) {
  const [, label = 'utf-8'] = /<meta[^>]+charset=["']?([\w-]+)/i.exec(bytes.subarray(0, 4096).toString('latin1')) ?? [];
  for (const [encoding, fatal] of [
    ['utf-8', true],
    [label, false],
  ])
    try {
      return new TextDecoder(encoding, { fatal }).decode(bytes);
    } catch {} // another encoding, or an unknown one
  return new TextDecoder().decode(bytes);
}

/** Makes forms tools, named by their numbers. Each place is the offset after the name of a start tag. */
export function annotate(html, places) {
  let annotated = '';
  let end = 0;
  for (const [number, place] of places.entries()) {
    annotated += `${html.slice(end, place)} toolname="${number}" tooldescription="A form." `;
    end = place;
  }
  return annotated + html.slice(end);
}

export const share = (part, all) => (all === 0 ? '' : `${((100 * part) / all).toFixed(1)} %`);
