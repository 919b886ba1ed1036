import { groupBy } from '../group-by.js';
import { oneLine, type Paint } from '../site/printable.js';

/**
 * The effect of a change on callers of the tool. `breaking`: calls that worked may fail. `widening`: more input is accepted,
 * or more tools are offered. `wording`: only titles or descriptions differ.
 */
export type ChangeKind = 'breaking' | 'widening' | 'wording';

export type ChangeCode =
  | 'tool-removed'
  | 'tool-added'
  | 'tool-title'
  | 'tool-description'
  | 'autosubmit'
  | 'form-method'
  | 'form-action'
  | 'form-enctype'
  | 'form-charset'
  | 'form-base'
  | 'annotation'
  | 'parameter-removed'
  | 'parameter-added'
  | 'parameter-required'
  | 'parameter-optional'
  | 'type'
  | 'values'
  | 'bounds'
  | 'pattern'
  | 'keyword'
  | 'any-value'
  | 'words'
  | 'order';

/** A change in an input schema. */
export interface SchemaChange {
  readonly kind: ChangeKind;
  readonly code: ChangeCode;
  /** The place in the input: `guests`, `files[].name`; empty for the whole input. */
  readonly place: string;
  readonly message: string;
}

/** A change in a tool. */
export interface ManifestChange extends SchemaChange {
  readonly page: string;
  readonly tool: string;
}

export type CreateChange = (kind: ChangeKind, code: ChangeCode, message: string) => SchemaChange;

export const changeAt =
  (place: string): CreateChange =>
  (kind, code, message) => ({ kind, code, place, message });

export const memberPlace = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);
export const itemPlace = (place: string, index?: number): string => `${place}[${index ?? ''}]`;

const kinds = ['breaking', 'widening', 'wording'] as const;
const styles = { breaking: 'red', widening: 'green', wording: 'dim' } as const;

/** Lists the changes by page and tool, the most severe changes first. */
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
