import { preview } from '../compiler/preview.js';
import type { JsonValue } from '../compiler/index.js';
import { countOf, oneLine, type Paint } from '../site/printable.js';
import type { Difference, PageRecord } from './inspect.js';

export function recordSummary({ tools, native, nativeProblem = '', differences }: PageRecord): string {
  const count = countOf(tools.length, 'tool');
  if (!native) return `${count}; ${oneLine(nativeProblem)}`;
  return `${count}, ${native.length} natively, ${countOf(differences.length, 'difference')}`;
}

export function recordText({ tools, native, differences }: PageRecord, paint: Paint): string {
  const all = new Map([...(native ?? []), ...tools].map((tool) => [tool.name, tool]));
  const lines = [...all.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((tool) => [
      `${paint('bold', oneLine(tool.name))}  ${oneLine(tool.description)}`,
      ...differences.filter((each) => each.tool === tool.name).map((each) => `  ${differenceText(each, paint)}`),
    ]);
  return lines.map((line) => `${line}\n`).join('');
}

function differenceText({ what, native, ours }: Difference, paint: Paint): string {
  if (what === 'missing') return paint('red', native === null ? 'only with webmcp-forms' : 'only natively');
  const [nativeText, ourText] = [native, ours].map((value) => preview(value as JsonValue, 300));
  return oneLine(`${paint('red', what)}: natively ${nativeText}, with webmcp-forms ${ourText}`);
}
