/** The used part of picomatch, a package without types. */
declare module 'picomatch' {
  interface PicomatchOptions {
    /** Whether wildcards match a leading dot. */
    readonly dot: boolean;
    readonly nobracket?: boolean;
    readonly noextglob?: boolean;
    readonly nonegate: boolean;
    readonly windows: boolean;
  }
  interface Picomatch {
    (glob: string, options: PicomatchOptions): (path: string) => boolean;
    /** Splits a glob at its first wildcard. */
    scan(
      glob: string,
      options: PicomatchOptions,
    ): { readonly base: string; readonly glob: string; readonly isGlob: boolean };
  }
  const picomatch: Picomatch;
  export = picomatch;
}
