/** The information that an agent receives about a call. */
export interface Told {
  /** The result. Undefined if the call failed, or if the page was left before it returned. */
  readonly value?: unknown;
  readonly error?: ToldError;
  /** The page that a live call navigated to. */
  readonly page?: { readonly url: string; readonly text: string };
}

export interface ToldError {
  readonly message: string;
  /** The code of the gateway, or the name of the exception in a page. */
  readonly code?: string;
  readonly parameters?: readonly { readonly parameter: string; readonly code?: string; readonly message: string }[];
}

/** Everything that the agent reads, for a regular expression. */
export const textOf = (told: Told): string => JSON.stringify(told, null, 1);
