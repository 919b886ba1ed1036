/** A difference between the profile chromium and a release later than the one it reproduces. */
export interface KnownDrift {
  /** The first major release with the difference. */
  readonly since: number;
  /** A part of the source text of every page that shows it. */
  readonly html: string;
  readonly reason: string;
}

export const knownDrift: readonly KnownDrift[] = [];
