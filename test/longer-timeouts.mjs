/**
 * A script for pages that load the built script on a slow machine: replaces delays of `setTimeout`.
 *
 * @param delays - the longer delay for each delay, in milliseconds
 */
export const longerTimeouts = (delays) => `{
    const delays = ${JSON.stringify(delays)};
    const { setTimeout } = window;
    window.setTimeout = (handler, delay, ...rest) => setTimeout(handler, delays[delay] ?? delay, ...rest);
  }`;
