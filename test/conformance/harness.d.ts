/** A case, as `/cases.json` lists it. */
export interface ConformanceCase {
  readonly kind: 'tools' | 'calls';
  readonly group: string;
  readonly name: string;
  /** The reason why an implementation may differ from Chromium. */
  readonly disputed?: string;
}

export interface ConformanceResult extends ConformanceCase {
  readonly passed: boolean;
  readonly actual: unknown;
  readonly expected: unknown;
}

export interface RunOptions {
  readonly frames?: number;
  readonly input?: 'object' | 'text';
  /** The time for each expected outcome, in milliseconds. */
  readonly patienceMs?: number;
  readonly onResult?: (result: ConformanceResult) => void;
}

export function runCases(
  cases: readonly ConformanceCase[],
  options?: RunOptions,
): Promise<readonly ConformanceResult[]>;
