import { styleText } from 'node:util';
import type { Writable } from 'node:stream';
import { oneLine } from '../site/report.js';
import type { ChangeKind, ManifestChange } from './change.js';

/** Text in colours, or as it is. */
export type Paint = (style: 'red' | 'green' | 'yellow' | 'dim' | 'bold', text: string) => string;

/** Colours for a terminal that shows some, unless the person wants none (NO_COLOR). */
export function painter(stream: Writable): Paint {
  const { isTTY, hasColors } = stream as Writable & { readonly isTTY?: boolean; readonly hasColors?: () => boolean };
  return isTTY === true && hasColors?.call(stream) === true ? styleText : (_, text) => text;
}

const kinds = ['breaking', 'widening', 'wording'] as const;
const styles = { breaking: 'red', widening: 'green', wording: 'dim' } as const;

/** The changes by page and tool, the worst first. */
export function changesText(changes: readonly ManifestChange[], paint: Paint): string {
  const lines = [...byTool(changes)].flatMap((ofTool) => [
    ...ofTool.slice(0, 1).map(({ page, tool }) => paint('bold', oneLine(`${page} ${tool}`))),
    ...byKind(ofTool).map((change) => line(change, paint)),
  ]);
  return lines.map((each) => `${each}\n`).join('');
}

function byTool(changes: readonly ManifestChange[]): Iterable<readonly ManifestChange[]> {
  const groups = new Map<string, ManifestChange[]>();
  for (const change of changes) {
    const key = JSON.stringify([change.page, change.tool]);
    const group = groups.get(key);
    if (group) group.push(change);
    else groups.set(key, [change]);
  }
  return groups.values();
}

const byKind = (changes: readonly ManifestChange[]): readonly ManifestChange[] =>
  kinds.flatMap((kind) => changes.filter((change) => change.kind === kind));

function line({ kind, place, message }: ManifestChange, paint: Paint): string {
  const where = place === '' ? '' : `${place}: `;
  return `  ${paint(styles[kind], kind.padEnd(8))}  ${oneLine(where + message)}`;
}

/** How many changes there are of each kind. */
export function changesSummary(changes: readonly ManifestChange[]): string {
  const counts = kinds.map((kind) => [changes.filter((change) => change.kind === kind).length, kind] as const);
  const said = counts.filter(([count]) => count > 0).map(([count, kind]) => `${count} ${kind}`);
  if (said.length === 0) return 'no change';
  return `${said.join(', ')} ${changes.length === 1 ? 'change' : 'changes'}`;
}

/** Whether whoever calls the tools has to know: more than words changed. */
export const isNotable = ({ kind }: { readonly kind: ChangeKind }): boolean => kind !== 'wording';
