/** Receives the parts that the scanner finds, in the order of the source. Offsets are those of the source. */
export interface JsxReceiver {
  /** A start tag, complete. `isRepeated`: it is in the callback of a loop. */
  readonly onStartTag: (tag: JsxTag) => void;
  readonly onEndTag: (tag: { readonly name: string; readonly start: number; readonly end: number }) => void;
  readonly onText: (start: number, end: number) => void;
  /** The receiver's state, to go back to it if an attempt fails. */
  readonly mark: () => number;
  readonly reset: (mark: number) => void;
}

export interface JsxTag {
  /** Empty for a fragment. */
  readonly name: string;
  readonly start: number;
  readonly nameEnd: number;
  readonly end: number;
  readonly isSelfClosing: boolean;
  readonly isRepeated: boolean;
  readonly attributes: readonly JsxAttribute[];
}

export interface JsxAttribute {
  /** Empty for a spread. */
  readonly name: string;
  readonly start: number;
  readonly nameEnd: number;
  readonly end: number;
  readonly value: 'none' | 'string' | 'code';
}

export interface JsxOptions {
  /** TypeScript: `<T,>(value: T) => value` is not an element. */
  readonly isTypeScript?: boolean;
  /** Astro: void elements have no end tag, and there are HTML comments. */
  readonly isHtml?: boolean;
}
