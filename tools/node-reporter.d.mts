import type { Reporter } from 'vitest/node';

export function nodeReporter(countsFile?: string): Reporter;
