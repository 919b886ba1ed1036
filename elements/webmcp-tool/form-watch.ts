import { annotations } from './annotations.js';

interface Watch {
  readonly observer: MutationObserver;
  readonly steps: Set<() => void>;
}

const watches = new WeakMap<Node, Watch>();

/**
 * Runs steps when a form of a document or shadow root may have come, gone, or changed its ID or annotations, until a
 * signal aborts. All who watch a root share one observer.
 */
export function watchForms(root: Node, signal: AbortSignal, steps: () => void): void {
  const watch = watches.get(root) ?? start(root);
  watch.steps.add(steps);
  signal.addEventListener('abort', () => stop(root, watch, steps), { once: true });
}

function start(root: Node): Watch {
  const steps = new Set<() => void>();
  const observer = new MutationObserver(() => steps.forEach((run) => run()));
  observer.observe(root, { subtree: true, childList: true, attributeFilter: ['id', ...annotations] });
  const watch = { observer, steps };
  watches.set(root, watch);
  return watch;
}

function stop(root: Node, watch: Watch, steps: () => void): void {
  watch.steps.delete(steps);
  if (watch.steps.size > 0) return;
  watch.observer.disconnect();
  watches.delete(root);
}
