import type { ResolvedConfig } from 'vite';
import { problemText, type Problem } from '../problems.js';

/** Writes the problems of a page or a component that it did not have before. Their places may have changed. */
export function createLog({ logger, root }: ResolvedConfig): (path: string, problems: readonly Problem[]) => void {
  const known = new Map<string, ReadonlySet<string>>();
  return (path, problems) => {
    const before = known.get(path);
    const counts = new Map<string, number>();
    const keys = problems.map(({ message }) => {
      const count = (counts.get(message) ?? 0) + 1;
      counts.set(message, count);
      return `${count} ${message}`;
    });
    known.set(path, new Set(keys));
    for (const [index, problem] of problems.entries()) {
      if (before?.has(keys[index] ?? '')) continue;
      const text = `webmcp-forms: ${problemText(problem, root)}`;
      if (problem.severity === 'info') logger.info(text, { timestamp: true });
      else logger.warn(text, { timestamp: true });
    }
  };
}
