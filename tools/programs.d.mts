export type ProgramName = 'chromium' | 'firefox' | 'webkit' | 'curl' | 'openssl' | 'parallel' | 'redis';
export function chromiumPath(): string | undefined;
export function firefoxPath(): string | undefined;
export function skipWithout(name: ProgramName): string | false;
