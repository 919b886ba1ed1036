/** Another form of the page before a call. */
interface OtherForm {
  /** The names of its controls. */
  readonly names: readonly string[];
  /** Its messages. */
  readonly texts: readonly string[];
}

/** The messages of the page before a call, and the identity of the page. */
export interface PageBefore {
  readonly url: string;
  readonly title: string;
  /** The prose that the form of the call is in; empty outside of prose, absent if it is unknown. */
  readonly prose?: string | undefined;
  /** Absent if there are too many to be compared. */
  readonly texts?: readonly string[] | undefined;
  /** Its main text. Only the gateway compares it with that of the answer. */
  readonly text?: string;
  /** The other forms with messages, which can be those of visitors. Absent if there are too many to be compared. */
  readonly others?: readonly OtherForm[] | undefined;
}

/** A call that a page answers, as data: it is stored for the next page, and sent to threads. */
export interface AnsweredCall {
  /** The names of the values that it has sent. */
  readonly names: readonly string[];
  /** The values among them that can contain a message. */
  readonly sent: readonly string[];
  /** Absent if the page before is unknown. */
  readonly before?: PageBefore | undefined;
}

const maxSentLength = 200_000;

/** A call with the entries that it sends. A message consists of several words, or has markup around it. */
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
