/** Bounds on what a visitor can make the page do. */
export const limits = {
  /** The number of characters of a page that are read. */
  page: 1_000_000,
  /** The number of characters up to which the editor colors the page. */
  highlighted: 300_000,
  /** The number of characters from which the page is read only after a pause. */
  large: 100_000,
  /** The number of forms whose tools are shown. */
  forms: 100,
  /** The number of findings that are shown. */
  findings: 200,
  /** The number of characters of a text of the frame that are shown. */
  text: 20_000,
  /** The number of entries of a submission that are shown, and of characters of a name or value. */
  entries: 200,
  entryText: 1000,
  /** The number of characters of a URL with a page in it. */
  url: 30_000,
  /** The number of differences of a form that are shown. */
  differences: 10,
  /** The number of elements of a page that is rendered. */
  elements: 20_000,
  /** The time for the compiler to read a page, in milliseconds. */
  readMs: 5000,
  /** The time for the frame to show a page and to answer, in milliseconds. */
  frameMs: 5000,
  /** The time between two questions whether the frame answers, in milliseconds. */
  pingMs: 500,
  /** The number of messages of a frame between two of these questions. */
  messages: 2000,
  /** The number of messages that a message with texts counts as. */
  messageWithTexts: 100,
  /** The number of messages that a change of the focus counts as. */
  focusChange: 400,
  /** The time for a frame with scripts to answer, in milliseconds. */
  scriptMs: 2000,
} as const;
