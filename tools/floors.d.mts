export interface Floor {
  readonly rooms: readonly string[];
  readonly imports: readonly string[];
  readonly lazy?: readonly string[];
  readonly types?: readonly string[];
  readonly packages?: RegExp;
}
export const floors: readonly Floor[];
export function findViolation(file: string, specifier: string, kind: 'static' | 'lazy' | 'type'): string | undefined;
