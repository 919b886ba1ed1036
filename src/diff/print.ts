import { groupBy } from '../group-by.js';
import { oneLine, type Paint } from '../site/printable.js';
import type { ChangeKind, ManifestChange } from './change.js';

const kinds = ['breaking', 'widening', 'wording'] as const;
const styles = { breaking: 'red', widening: 'green', wording: 'dim' } as const;

/** Lists the changes by page and tool, the most severe first. */
export function changesText(changes: readonly ManifestChange[], paint: Paint): string {
  const lines = [...groupBy(changes, ({ page, tool }) => `${page} ${tool}`)].flatMap(([tool, ofTool]) => [
    paint('bold', oneLine(tool)),
    ...kinds
      .flatMap((kind) => ofTool.filter((change) => change.kind === kind))
      .map((change) => changeLine(change, paint)),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

function changeLine({ kind, place, message }: ManifestChange, paint: Paint): string {
  const text = place === '' ? message : `${place}: ${message}`;
  return `  ${paint(styles[kind], kind.padEnd(8))}  ${oneLine(text)}`;
}

export function changesSummary(changes: readonly ManifestChange[]): string {
  if (changes.length === 0) return 'no changes';
  const counts = kinds
    .map((kind) => ({ kind, count: changes.filter((change) => change.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`);
  return `${counts.join(', ')} ${changes.length === 1 ? 'change' : 'changes'}`;
}

/** Whether a change affects more than wording. */
export const isNotable = ({ kind }: { readonly kind: ChangeKind }): boolean => kind !== 'wording';
