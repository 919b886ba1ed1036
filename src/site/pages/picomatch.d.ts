/** The part of picomatch, a package without types, that the configuration uses. */
declare module 'picomatch' {
  interface PicomatchOptions {
    /** Whether wildcards match a leading dot. */
    readonly dot: boolean;
    readonly nobracket: boolean;
    readonly noextglob: boolean;
    readonly nonegate: boolean;
    readonly windows: boolean;
  }
  function picomatch(glob: string, options: PicomatchOptions): (path: string) => boolean;
  export = picomatch;
}
