import { jsonText } from '../json-record.js';
import { createManifest, saysSomething, type ManifestOptions, type ManifestPage } from './manifest.js';

/** A manifest as it is written, page by page, of pages that are sorted and have distinct paths. */
export async function* manifestText(
  options: ManifestOptions,
  pages: AsyncIterable<ManifestPage>,
): AsyncGenerator<string> {
  const empty = jsonText(createManifest([], options), 2);
  let text = empty.slice(0, -end.length);
  let between = '[\n    ';
  for await (const page of pages) {
    if (!saysSomething(page)) continue;
    text += between + jsonText(page, 2).replaceAll('\n', '\n    ');
    between = ',\n    ';
    if (text.length < piece) continue;
    yield text;
    text = '';
  }
  yield text + (between.startsWith('[') ? `${end}\n` : `\n  ]\n}\n`);
}

/** How much is worth a write. */
const piece = 64 * 1024;

const end = '[]\n}';

/** All of it, for a place that cannot take half of it back. */
export async function whole(text: AsyncIterable<string>): Promise<readonly string[]> {
  const parts: string[] = [];
  for await (const part of text) parts.push(part);
  return parts;
}
