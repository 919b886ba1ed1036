import { resolve } from 'node:path';
import { preview } from '../../compiler/preview.js';
import type { JsonValue } from '../../compiler/index.js';
import { painter, type Paint } from '../../diff/print.js';
import { jsonText } from '../../site/json-record.js';
import { fileSink, streamSink } from '../../site/output.js';
import { oneLine, tell } from '../../site/report.js';
import type { Surroundings } from '../../site/surroundings.js';
import type { Difference } from '../../inspect/differences.js';
import { inspectPage, type InspectOptions, type PageRecord, type Reading } from '../../inspect/inspect.js';

/** The options of `webmcp-forms inspect`. */
export interface InspectFlags extends InspectOptions, Reading {
  readonly json?: true;
  readonly out?: string;
}

/** Reads a page, and writes what it offers. */
export async function runInspect(url: string, flags: InspectFlags, surroundings: Surroundings): Promise<PageRecord> {
  const { cwd, stdout, stderr } = surroundings;
  const record = await inspectPage(url, flags, surroundings);
  const json = `${jsonText(record, 2)}\n`;
  if (flags.out !== undefined) await fileSink(resolve(cwd, flags.out), flags.out)([json]);
  await streamSink(stdout)([flags.json ? json : recordText(record, painter(stdout))]);
  await tell(stderr, `webmcp-forms: ${summary(record)}${flags.out === undefined ? '' : `, written to ${flags.out}`}\n`);
  return record;
}

function summary({ tools, native, nativeProblem, differences }: PageRecord): string {
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  if (!native) return `${count}; ${oneLine(nativeProblem ?? '')}`;
  return `${count}, ${native.length} natively, ${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}`;
}

function recordText({ tools, native, differences }: PageRecord, paint: Paint): string {
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
  if (what === 'missing') return paint('red', native === null ? 'not offered natively' : 'offered natively alone');
  return oneLine(`${paint('red', what)}: natively ${shown(native)}, by webmcp-forms ${shown(ours)}`);
}

const shown = (value: unknown): string => preview(value as JsonValue, 300);
