/** A form on the page before a call, other than the form of the call. */
interface OtherForm {
  /** The names of its controls. */
  readonly names: readonly string[];
  /** The messages in the form. */
  readonly texts: readonly string[];
}

/** The messages of the page before a call, and the identity of the page. */
export interface PageBefore {
  readonly url: string;
  readonly title: string;
  /** The kinds of the prose elements around the form of the call; empty without such elements, absent if unknown. */
  readonly prose?: string | undefined;
  /** The messages. Absent if there is too much to compare. */
  readonly texts?: readonly string[] | undefined;
  /** The main text of the page. Only the gateway compares it with the main text of the answer. */
  readonly text?: string;
  /** The other forms that contain messages. Visitors may have written them. Absent if there is too much to compare. */
  readonly others?: readonly OtherForm[] | undefined;
}

/** A call that a page answers. Plain data, because it is stored for the next page and sent to worker threads. */
export interface AnsweredCall {
  /** The names of the submitted entries. */
  readonly names: readonly string[];
  /** The submitted values that can contain a message. */
  readonly sent: readonly string[];
  /** Absent if the page before the call is unknown. */
  readonly before?: PageBefore | undefined;
}

const maxSentLength = 200_000;

/** The data of a call that submits these entries. Only a value with several words or with markup can contain a message. */
export function answeredCall(
  entries: Iterable<readonly [name: string, value: unknown]>,
  before: PageBefore | undefined,
): AnsweredCall {
  const names = new Set<string>();
  const sent: string[] = [];
  let left = maxSentLength;
  for (const [name, value] of entries) {
    names.add(name);
    if (typeof value === 'string' && /\S\s+\S|[<>[\]{}|]/.test(value) && (left -= value.length) >= 0) sent.push(value);
  }
  return {
    names: [...names],
    sent,
    before: left >= 0 ? before : { url: '', title: '', others: before ? before.others : [] },
  };
}
