/** What is told when one of its parameters comes, goes or changes. */
export interface ParamOwner {
  readonly paramsChanged: () => void;
}

/** The tools by their elements. */
export const owners = new WeakMap<Element, ParamOwner>();
