import type { JsonValue } from '../json-schema.js';

/** What a site says to an agent that has run one of its tools. */
export interface ToolAnswer {
  readonly status: number;
  /** Where the answer comes from, after all redirects. */
  readonly url: string;
  readonly contentType: string;
  /** Of an answer in JSON. */
  readonly json?: JsonValue;
  /** The blocks of JSON-LD of a page. */
  readonly jsonLd?: readonly JsonValue[];
  /** The visible text of a page's main part, or the text that an answer is; at most 50,000 characters. */
  readonly text?: string;
}
