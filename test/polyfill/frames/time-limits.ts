/**
 * A classic script for pages that load the built script: extends the time limits that `extend` in the URL states in
 * milliseconds to a minute. On a slow machine, other pages reply late.
 */
{
  const limits = new URLSearchParams(location.search).getAll('extend').map(Number);
  const start = window.setTimeout.bind(window);
  window.setTimeout = ((handler: () => void, delay?: number, ...rest: readonly []) =>
    start(handler, limits.includes(delay ?? 0) ? 60_000 : delay, ...rest)) as typeof setTimeout;
}
