/** The limits of the responses of a webtool. docs/reference/limits.md has the reasons. */
export const limits = {
  actions: 2_000,
  /** Characters of a name or a version. */
  name: 256,
  title: 500,
  description: 10_000,
  /** Characters of the JSON of a schema. */
  schema: 500_000,
  /** Characters of an error message. */
  message: 50_000,
  /** Errors of one response. */
  errors: 1_000,
} as const;
