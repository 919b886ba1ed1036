import { canonical } from '../json.js';
import type { LiveTool } from './read-live-tools.js';

/** What the browser and this package say differently. */
export interface Difference {
  readonly tool: string;
  readonly what: 'missing' | 'title' | 'description' | 'inputSchema';
  /** What the browser's own WebMCP says; null if it has no such tool. */
  readonly native: unknown;
  /** What this package says; null if it has no such tool. */
  readonly ours: unknown;
}

/** Compares tool by tool, in the order of their names. */
export function differencesOf(
  native: readonly LiveTool[],
  ours: readonly LiveTool[],
  withSchemas: boolean,
): readonly Difference[] {
  const [theirs, own] = [native, ours].map((tools) => new Map(tools.map((tool) => [tool.name, tool])));
  const names = [...new Set([...native, ...ours].map(({ name }) => name))].sort();
  return names.flatMap((tool) => compareTools(tool, theirs?.get(tool), own?.get(tool), withSchemas));
}

function compareTools(
  tool: string,
  native: LiveTool | undefined,
  ours: LiveTool | undefined,
  withSchemas: boolean,
): readonly Difference[] {
  if (!native || !ours) return [{ tool, what: 'missing', native: native ?? null, ours: ours ?? null }];
  const compared = ['title', 'description', ...(withSchemas ? (['inputSchema'] as const) : [])] as const;
  return compared.flatMap((what) =>
    canonical(native[what] ?? null) === canonical(ours[what] ?? null)
      ? []
      : { tool, what, native: native[what] ?? null, ours: ours[what] ?? null },
  );
}
