/** The used part of html-encoding-sniffer, a package without types. */
declare module 'html-encoding-sniffer' {
  interface SnifferOptions {
    readonly transportLayerEncodingLabel?: string;
    /** @default 'windows-1252' */
    readonly defaultEncoding?: string;
  }
  /** Returns the name of an encoding. */
  function sniffHtmlEncoding(bytes: Uint8Array, options?: SnifferOptions): string;
  export = sniffHtmlEncoding;
}
