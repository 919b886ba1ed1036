import { printableJson } from '../printable.js';
import { createManifest, hasContent, type ManifestOptions, type ManifestPage } from './manifest.js';

const minChunkLength = 64 * 1024;
const emptyEnd = '[]\n}';

/** Serializes a manifest page by page. The pages have to be sorted and have distinct paths. */
export async function* manifestText(
  options: ManifestOptions,
  pages: AsyncIterable<ManifestPage> | Iterable<ManifestPage>,
): AsyncGenerator<string> {
  let text = printableJson(createManifest([], options), 2).slice(0, -emptyEnd.length);
  let separator = '[\n    ';
  for await (const page of pages) {
    if (!hasContent(page)) continue;
    text += separator + printableJson(page, 2).replaceAll('\n', '\n    ');
    separator = ',\n    ';
    if (text.length < minChunkLength) continue;
    yield text;
    text = '';
  }
  yield `${text}${separator.startsWith('[') ? emptyEnd : '\n  ]\n}'}\n`;
}
