/**
 * A classic script for pages that load the built script: extends one of its time limits, which `extend` in the URL states in
 * milliseconds, to a minute. On a slow machine, other pages reply late.
 */
{
  const limit = Number(new URLSearchParams(location.search).get('extend'));
  const start = window.setTimeout.bind(window);
  window.setTimeout = ((handler: () => void, delay?: number, ...rest: readonly []) =>
    start(handler, delay === limit ? 60_000 : delay, ...rest)) as typeof setTimeout;
}
