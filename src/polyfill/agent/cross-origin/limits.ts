/** The limits of messages from pages of other origins. docs/reference/limits.md has the reasons. */
export const limits = {
  peers: 200,
  /** Two copies that greet each other at the same time have two channels. */
  ports: 2,
  /** Characters of a random identifier. */
  identifier: 100,
  /** Nested frames. */
  path: 100,
  /** Running calls of one page. */
  calls: 100,
  tools: 1_000,
  title: 500,
  description: 10_000,
  schema: 500_000,
  schemaLevels: 100,
  /** Characters of all tools of one page. */
  list: 5_000_000,
  /** Characters of the input or the result of a call. */
  data: 8_000_000,
  message: 10_000,
} as const;

/** The minimum time between two announcements of changes of one page. */
export const changeIntervalMs = 50;

/** In milliseconds. Tests change them, so that no test depends on the speed of its machine. */
export const timeouts = {
  /** A busy page that does not respond within this time is considered unloaded. */
  response: 5000,
  /** A list waits this long for the reply of a new window. Most windows do not load this script and never reply. */
  welcome: 200,
  /** The policy of a frame is unknown if its embedding page does not reply within this time. */
  policy: 1000,
};
